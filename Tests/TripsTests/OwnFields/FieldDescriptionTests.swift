import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Descriptions of own fields")
struct FieldDescriptionTests {
    private static let namespace: Namespace = "org.example.described"
    private static let score = OwnField<Activity, Int>(namespace, 1, "score")
    private static let next = OwnField<Activity, Activity.ID>(namespace, 2, "next")

    private func record(_ descriptions: [FieldDescription], over record: EntityRecord? = nil, at time: UInt64) throws
        -> EntityRecord
    {
        var merged = record ?? EntityRecord()
        if let event = FieldDescription.event(writing: descriptions, over: record) {
            merged.apply(event, index: 0, stamp: try Records.stamp(time))
        }
        return merged
    }

    @Test("They are read as they were written, a message of trips.proto each")
    func reading() throws {
        let all = Self.score.fieldDescriptions + Self.next.fieldDescriptions
        #expect(all.map(\.type) == [.integer, .reference])
        #expect(FieldDescription.all(in: try record(all, at: 1)) == all)
        let bytes = [10, 21] + Array("org.example.described".utf8) + [18, 5] + Array("score".utf8) + [24, 3]
        #expect(all[0].value == bytes)
        #expect(all[0].path.key == [0, 2] + (Self.namespace.number(1)).bigEndianBytes)
        #expect(FieldDescription.all(in: nil).isEmpty)
    }

    @Test("A field at which searches look says so, and no other does")
    func searched() throws {
        let field = OwnField<Trip, String>("org.example.described", 40, "remark")
        let searched = OwnField<Trip, String>(
            "org.example.described", 40, "remark", isSearched: true
        ).fieldDescriptions
        #expect(searched.map(\.isSearched) == [true] && field.fieldDescriptions.map(\.isSearched) == [false])
        #expect(searched[0].value == field.fieldDescriptions[0].value + [48, 1])
        #expect(FieldDescription.all(in: try record(searched, at: 1)) == searched)
    }

    @Test("Only what the log does not say yet is written, in view of what it says")
    func writing() throws {
        let first = try record(Self.score.fieldDescriptions, at: 1)
        #expect(FieldDescription.event(writing: Self.score.fieldDescriptions, over: first) == nil)
        let both = Self.score.fieldDescriptions + Self.next.fieldDescriptions + Self.next.fieldDescriptions
        let event = try #require(FieldDescription.event(writing: both, over: first))
        #expect(event.verb == .edited && event.changes.map(\.path) == Self.next.fieldDescriptions.map(\.path))
        #expect(event.changes.map(\.seen) == [nil])
        var renamed = try #require(Self.score.fieldDescriptions.first)
        renamed = FieldDescription(
            of: renamed.concreteKind, number: renamed.number, namespace: renamed.namespace, name: "points",
            type: renamed.type)
        let change = try #require(FieldDescription.event(writing: [renamed], over: first)?.changes.first)
        #expect(change.seen == Seen(try Records.stamp(1)))
    }

    @Test(
        "What describes no own field is passed over, whatever others wrote",
        arguments: [
            (3, [UInt8](repeating: 0, count: 9), [18, 1, 97]), (3, [0, 1, 0, 0, 0, 0, 0, 0, 0, 7], [18, 1, 97]),
            (3, [0, 1, 255, 0, 0, 0, 0, 1, 0, 7], [18, 1, 97]), (3, [0, 1, 0, 0, 0, 0, 0, 1, 0, 7], [18, 9, 97]),
            (3, [0, 1, 0, 0, 0, 0, 0, 1, 0, 7], []), (3, [0, 1, 0, 0, 0, 0, 0, 1, 0, 7], nil),
            (4, [0, 1, 0, 0, 0, 0, 0, 1, 0, 7], [18, 1, 97]),
        ] as [(UInt64, [UInt8], [UInt8]?)])
    func malformed(field: UInt64, key: [UInt8], value: [UInt8]?) {
        #expect(FieldDescription(FieldPath(field: field, key: key), value) == nil)
    }

    @Test(
        "A field that a store does not declare is shown by the name and the type that the log of a store says, and in other stores by its number"
    )
    func showing() throws {
        let other: Namespace = "org.example.other-app"
        var activity = Activity(name: "Tram", in: nil)
        let values: [(UInt16, OwnFieldType, [UInt8], String)] = [
            (1, .integer, [9], "-5"), (2, .text, Array("x".utf8), "x"), (3, .flag, [1], "yes"),
            (4, .reference, [0, 1] + Samples.uuid.bytes, Samples.uuidText),
            (5, OwnFieldType(rawValue: 99), [1], "0x01"),
            (6, .uuid, [1], "0x01"), (7, .number, [0, 0, 0, 0, 0, 0, 0xF8, 0x3F], "1.5"), (8, .data, [1], "0x01"),
        ]
        for (number, _, bytes, _) in values { activity.own[other.number(number)] = bytes }
        let known = KnownSchema(
            values.map { number, type, _, _ in
                FieldDescription(
                    kind: .activity, number: other.number(number), namespace: other.name, name: "f\(number)", type: type
                )
            }, declaring: [Self.score])
        for unknowing in [nil, KnownSchema()] {
            #expect(activity.ownRenderings(in: unknowing).map(\.name).first == FieldPath.ownName(of: other.number(1)))
        }
        #expect(activity.ownRenderings(in: known).map(\.name) == values.map { "f\($0.0)" })
        #expect(activity.ownRenderings(in: known).map(\.text) == values.map(\.3))
        // A declaration counts more than what a log says.
        known.add([
            FieldDescription(
                kind: .activity, number: Self.score.number, namespace: "", name: "else", type: .text)
        ])
        activity[Self.score] = 1
        #expect(activity.ownRenderings(in: known).contains { $0.name == "score" && $0.text == "1" })
    }
}
