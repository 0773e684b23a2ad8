import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog
@testable import Trips

private enum Protoc {
    static let isAvailable = Program.succeeds("protoc", "--version")

    static func text(of bytes: [UInt8], as message: String) throws -> String {
        try String(decoding: run("--decode=\(message)", bytes), as: UTF8.self)
    }

    static func bytes(of text: String, as message: String) throws -> [UInt8] {
        try run("--encode=\(message)", Array(text.utf8))
    }

    private static func run(_ option: String, _ input: [UInt8]) throws -> [UInt8] {
        let output = try #require(
            try Program.run(
                "protoc", SourceFile.specifications + [option, "commit.proto", "trips.proto"], input: input))
        try #require(output.code == 0, "\(output.complaint)")
        return output.bytes
    }
}

/// Our bytes read by protoc and its specifications, and its bytes read by us.
@Suite(
    "protoc with the specifications",
    .enabled(if: Protoc.isAvailable, "protoc is not here (Tools/set-up tests installs it)"))
struct ProtocTests {
    /// A message, its bytes by our writer, and its text.
    struct Sample: Sendable, CustomTestStringConvertible {
        let message: String
        let bytes: [UInt8]
        let text: String
        var testDescription: String { message }
    }

    static let samples = [
        Sample(message: "tripstore.Header", bytes: Samples.header.encoded(), text: Samples.headerText),
        Sample(message: "tripstore.Payload", bytes: Samples.payload.encoded(), text: Samples.payloadText),
        Sample(
            message: "tripstore.Commit",
            bytes: {
                var writer = WireWriter()
                writer.bytes(1, Array("h".utf8))
                writer.bytes(2, Array("0123456789abcdef".utf8))
                writer.bytes(3, Array("p".utf8))
                return writer.bytes
            }(), text: Samples.commitText),
        Sample(message: "trips.Money", bytes: Samples.money.encodedValue ?? [], text: Samples.moneyText),
        Sample(message: "trips.Moment", bytes: Samples.moment.encodedValue ?? [], text: Samples.momentText),
        Sample(message: "trips.Link", bytes: Samples.link.encodedValue ?? [], text: Samples.linkText),
        Sample(message: "trips.Contact", bytes: Samples.contact.encodedValue ?? [], text: Samples.contactText),
        Sample(message: "trips.Address", bytes: Samples.address.encodedValue ?? [], text: Samples.addressText),
    ]

    @Test("It decodes what we wrote into the expected text", arguments: samples)
    func decodesOurs(sample: Sample) throws {
        #expect(try Protoc.text(of: sample.bytes, as: sample.message) == sample.text)
    }

    @Test("It encodes that text into the bytes that we write", arguments: samples)
    func encodesAsWeDo(sample: Sample) throws {
        #expect(try Protoc.bytes(of: sample.text, as: sample.message) == sample.bytes)
    }

    @Test("We read what it encoded")
    func weReadTheirs() throws {
        let header = try Protoc.bytes(of: Samples.headerText, as: "tripstore.Header")
        #expect(try header.withUnsafeBytes { try CommitHeader($0) } == Samples.header)
        let payload = try Protoc.bytes(of: Samples.payloadText, as: "tripstore.Payload")
        #expect(try payload.withUnsafeBytes { try PayloadView($0).copy() } == Samples.payload)
        #expect(Money.decoded(try Protoc.bytes(of: Samples.moneyText, as: "trips.Money")) == Samples.money)
        #expect(Moment.decoded(try Protoc.bytes(of: Samples.momentText, as: "trips.Moment")) == Samples.moment)
        #expect(Address.decoded(try Protoc.bytes(of: Samples.addressText, as: "trips.Address")) == Samples.address)
    }

    @Test("Random messages go through its text and come back byte for byte", arguments: Seeds.some(10))
    func randomMessagesComeBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let payload = Payload.any(&generator).encoded()
        var header = CommitHeader.random(&generator, payloadHash: generator.digest())
        // A default is not in the text, and so not written again.
        header.schema = max(1, header.schema)
        for (bytes, message) in [(payload, "tripstore.Payload"), (header.encoded(), "tripstore.Header")] {
            #expect(try Protoc.bytes(of: Protoc.text(of: bytes, as: message), as: message) == bytes)
        }
    }

    @Test("The numbers of verbs, kinds, fields and choices are those of the specifications")
    func numbersAreAsSpecified() throws {
        #expect(Tripstore_Verb.created.rawValue == Int(Verb.created.rawValue))
        #expect(Tripstore_Verb.edited.rawValue == Int(Verb.edited.rawValue))
        #expect(Tripstore_Verb.deleted.rawValue == Int(Verb.deleted.rawValue))
        #expect(Tripstore_Verb.restored.rawValue == Int(Verb.restored.rawValue))
        let kinds = [
            Trip.kind, Activity.kind, Lodging.kind, Transportation.kind, Organization.kind, EntityKind.schema, .own,
        ]
        #expect(kinds.map { Int($0.rawValue) } == Trips_EntityKind.allCases.map(\.rawValue).filter { $0 != 0 })
        func numbers<Choices: CaseIterable & RawRepresentable<Int>>(_ type: Choices.Type) -> [Int] {
            type.allCases.map(\.rawValue)
        }
        #expect(Trip.fieldNumbers.map { Int($0) } == numbers(Trips_TripField.self).filter { $0 != 0 })
        let ofItems = Set(Transportation.fieldNumbers + Lodging.fieldNumbers + Activity.fieldNumbers)
        #expect(ofItems.sorted().map { Int($0) } == numbers(Trips_ItemField.self).filter { $0 != 0 })
        #expect(
            Organization.fieldNumbers.map { Int($0) } == numbers(Trips_OrganizationField.self).filter { $0 != 0 })
        #expect(PaidStatus.known.map { Int($0.value.rawValue) } == numbers(Trips_PaidStatus.self))
        #expect(TransportationMode.known.map { Int($0.value.rawValue) } == numbers(Trips_TransportationMode.self))
        #expect(OwnFieldType.known.map { Int($0.value.rawValue) } == numbers(Trips_OwnFieldType.self))
        #expect(OwnFieldShape.known.map { Int($0.value.rawValue) } == numbers(Trips_OwnFieldShape.self))
        #expect(ProcessingStatus.known.map { Int($0.value.rawValue) } == numbers(Trips_ProcessingStatus.self))
        #expect(PlanningStage.known.map { Int($0.value.rawValue) } == numbers(Trips_PlanningStage.self))
    }
}
