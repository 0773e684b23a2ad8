import Foundation
import StoreSupport
import TestSupport
import Testing
import TravelingSnails
import TripStore

@testable import TripFormats

@Suite("Attachments of an import")
struct ImportedAttachmentTests {
    private static let flight = Transportation.ID(ExportFixture.id(11))

    private static func attachment(
        _ number: Int, _ data: Data, of item: Int = 11, _ keys: [String: Any] = [:]
    ) -> [String: Any] {
        let base: [String: Any] = [
            "id": ExportFixture.id(number).uuidString, "originalFileName": "pass \(number).pdf",
            "fileName": "\(number).pdf", "fileSize": data.count, "mimeType": "application/pdf",
            "fileDescription": "seat \(number)", "parentType": "transportation",
            "parentId": ExportFixture.id(item).uuidString, "fileData": data.base64EncodedString(),
        ]
        return base.merging(keys) { $1 }
    }

    private static func export(_ attachments: [[String: Any]]) throws -> ExportFixture {
        let trips = [ExportFixture.trip(1, flights: [ExportFixture.flight(11), ExportFixture.flight(12)])]
        return try ExportFixture(
            data: JSONSerialization.data(withJSONObject: [
                "exportInfo": ["version": "1.0", "format": "json"], "trips": trips, "organizations": [Any](),
                "addresses": [Any](), "attachments": attachments,
            ]))
    }

    private static func run(_ export: ExportFixture, into store: TripStore) async throws -> ImportReport {
        try await export.withFile { try await Importer(store: store).run(path: $0) }
    }

    private static func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }) }

    @Test("come with their bytes, and again they write nothing; what a person wrote since stays")
    func comeOnce() async throws {
        let store = try await TripStore.test()
        let export = try Self.export([
            Self.attachment(21, Self.bytes(3_000_000)), Self.attachment(22, Self.bytes(7), of: 12),
        ])
        let first = try await Self.run(export, into: store)
        #expect(first.created == [.trip: 1, .transportation: 2, .own: 2] && first.warnings == [])
        let found = try #require(try store.attachments(of: Self.flight).first)
        #expect(found.name == "pass 21.pdf" && found.caption == "seat 21" && found.mediaType == "application/pdf")
        #expect(try await store.data(of: found) == Self.bytes(3_000_000))
        #expect(try await Self.run(export, into: store).events == 0)
        try await store.edit(found.id) { $0.caption = "window" }
        let third = try await Self.run(export, into: store)
        #expect(third.events == 0 && third.unchanged[.own] == 2)
        #expect(try store.entity(found.id)?.caption == "window")
        try await store.delete(found.id)
        #expect(try await Self.run(export, into: store).skipped == [.own: 1])
        try await store.expectInvariants()
    }

    @Test("are edited where a newer file has other bytes or another name")
    func newer() async throws {
        let store = try await TripStore.test()
        _ = try await Self.run(Self.export([Self.attachment(21, Self.bytes(10))]), into: store)
        let newer = Self.attachment(21, Self.bytes(11), of: 11, ["originalFileName": "new.pdf"])
        #expect(try await Self.run(Self.export([newer]), into: store).edited == [.own: 1])
        let found = try #require(try store.attachments(of: Self.flight).first)
        #expect(found.name == "new.pdf")
        #expect(try await store.data(of: found) == Self.bytes(11))
        try await store.expectInvariants()
    }

    @Test("that cannot be used are counted and named, and the rest comes")
    func bad() async throws {
        let store = try await TripStore.test()
        let report = try await Self.run(
            Self.export([
                Self.attachment(21, Self.bytes(10), of: 11, ["fileData": "aGVsbG8"]),
                Self.attachment(22, Self.bytes(10), of: 99), Self.attachment(23, Self.bytes(10)),
                Self.attachment(23, Self.bytes(11)), Self.attachment(24, Self.bytes(10), of: 11, ["fileSize": 7]),
            ]), into: store)
        #expect(report.created[.own] == 2 && report.skipped == [.own: 3])
        #expect(report.warnings.count == 4)
        for words in ["pass 21.pdf", "no base64", "neither in the file nor here", "used before", "`fileSize` says 7"] {
            #expect(report.warnings.contains { $0.contains(words) }, "\(words): \(report.warnings)")
        }
        #expect(try store.attachments(of: Self.flight).map(\.name) == ["pass 23.pdf", "pass 24.pdf"])
        try await store.expectInvariants()
    }

    @Test("of what is in the store alone come too, and those of what was deleted do not")
    func others() async throws {
        let store = try await TripStore.test()
        _ = try await Self.run(Self.export([]), into: store)
        let alone = try ExportFixture(
            data: JSONSerialization.data(withJSONObject: [
                "exportInfo": ["version": "1.0", "format": "json"], "trips": [Any](), "organizations": [Any](),
                "addresses": [Any](),
                "attachments": [Self.attachment(21, Self.bytes(10)), Self.attachment(22, Self.bytes(10), of: 12)],
            ]))
        try await store.delete(Transportation.ID(ExportFixture.id(12)))
        let report = try await Self.run(alone, into: store)
        #expect(report.created == [.own: 1] && report.skipped == [.own: 1])
        try await store.delete(Trip.ID(ExportFixture.id(1)))
        let third = try ExportFixture(
            data: JSONSerialization.data(withJSONObject: [
                "exportInfo": ["version": "1.0", "format": "json"], "trips": [Any](),
                "attachments": [Self.attachment(23, Self.bytes(10))],
            ]))
        #expect(try await Self.run(third, into: store).skipped == [.own: 1])
        try await store.expectInvariants()
    }

    @Test("are undone with the import, and come again with the next")
    func undone() async throws {
        let store = try await TripStore.test()
        let export = try Self.export([Self.attachment(21, Self.bytes(10))])
        let correlation = try #require(try await Self.run(export, into: store).correlation)
        try await store.undo(.correlation(correlation))
        #expect(try store.attachments(of: Self.flight).isEmpty)
        _ = try await Self.run(export, into: store)
        #expect(try store.attachments(of: Self.flight).count == 1)
        try await store.expectInvariants()
    }
}
