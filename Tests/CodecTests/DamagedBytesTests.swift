import Events
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import EventLog
@testable import Trips

/// Bytes that no writer wrote: readers return or throw, agree with each other, and never crash.
@Suite("Damaged bytes")
struct DamagedBytesTests {
    static func commit(_ header: CommitHeader, _ payload: [UInt8], salt: Int = 16) -> [UInt8] {
        var writer = WireWriter()
        writer.bytes(1, header.encoded())
        if salt > 0 { writer.bytes(2, [UInt8](repeating: 9, count: salt)) }
        writer.bytes(3, payload)
        return writer.bytes
    }

    /// Written bytes, cut off, damaged, and noise.
    static func variations(of bytes: [UInt8], _ generator: inout SeededGenerator) -> [[UInt8]] {
        var variations = (0...bytes.count).map { Array(bytes.prefix($0)) }
        for _ in 0..<200 { variations.append(generator.damaged(bytes)) }
        for _ in 0..<100 { variations.append(generator.bytes(upTo: 60)) }
        return variations
    }

    /// The number of events by reading each, or nil if the payload is not well-formed.
    static func countByEvents(_ bytes: [UInt8]) throws -> Int? {
        let commit = commit(.sample, bytes)
        return try commit.withUnsafeBytes { raw in
            let stored = StoredCommit(position: Position(1), hash: .zero, view: try CommitView(raw))
            var count = 0
            let isWhole = stored.forEachEvent { _, _ in count += 1 }
            #expect(isWhole || count == 0, "a malformed payload handed out \(count) events")
            return isWhole ? count : nil
        }
    }

    @Test("Every reader of a payload takes the same bytes for well-formed", arguments: Seeds.some(20))
    func readersAgree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for bytes in Self.variations(of: Payload.any(&generator).encoded(), &generator) {
            let copied = try? bytes.withUnsafeBytes { try PayloadView($0).copy() }
            #expect(try Self.countByEvents(bytes) == copied?.events.count, "\(bytes.hexadecimal)")
            guard let copied else { continue }
            // Swift-protobuf accepts everything that we accept, except text that is not UTF-8.
            let texts = [copied.author, copied.introduction?.name ?? "", copied.introduction?.reason ?? ""]
            if texts.contains(where: { $0.contains("\u{FFFD}") }) { continue }
            let theirs = try? Tripstore_Payload(serializedBytes: bytes)
            #expect(theirs.map { Payload($0) } == copied, "\(bytes.hexadecimal)")
        }
    }

    @Test("Readers of commits and values throw or return", arguments: Seeds.some(6))
    func readersDoNotCrash(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let header = CommitHeader.random(&generator, payloadHash: generator.digest())
        let commit = Self.commit(header, Payload.any(&generator).encoded())
        for bytes in Self.variations(of: commit, &generator) {
            bytes.withUnsafeBytes { raw in
                guard let view = try? CommitView(raw) else { return }
                #expect(view.header.timestamp.isWellFormed)
                #expect(view.payloadBytes == nil || view.salt.count == 16)
                _ = RecordedCommit(StoredCommit(position: Position(1), hash: .zero, view: view))
            }
        }
        let values = [Samples.address.encodedValue, Samples.money.encodedValue, Samples.moment.encodedValue]
        for bytes in values.flatMap({ Self.variations(of: $0 ?? [], &generator) }) {
            for schema in EntitySchema.all {
                for field in schema.fields { Self.read(field.type, bytes) }
            }
            _ = try? bytes.withUnsafeBytes { try EntityRecord($0) }
            _ = bytes.withUnsafeBytes { LineHead($0) }
        }
    }

    /// Reads a value, renders it, and writes it again: the second time its bytes must not change.
    private static func read<Value: FieldValue>(_ type: Value.Type, _ bytes: [UInt8]) {
        guard let value = Value.decoded(bytes) else { return }
        _ = (value.text, value.json)
        guard let written = value.encodedValue else { return }
        #expect(Value.decoded(written)?.encodedValue == written, "\(type): \(bytes.hexadecimal)")
    }

    @Test("A payload with any malformed part is malformed as a whole", arguments: Malformation.allCases)
    func malformedPartsCount(malformation: Malformation) throws {
        var writer = WireWriter()
        writer.raw(Samples.payload.encoded())
        #expect(try Self.countByEvents(writer.bytes) == 2)
        malformation.write(to: &writer)
        #expect(try Self.countByEvents(writer.bytes) == nil)
        #expect(throws: WireError.self) { try writer.bytes.withUnsafeBytes { try PayloadView($0).copy() } }
    }

    enum Malformation: String, CaseIterable, Sendable {
        case numberForAuthor, shortCausation, longCorrelation, shortKey, numberForEvent, eventWithoutID
        case eventWithoutVerb, kindOver16Bits, changeWithoutField, fieldOver56Bits, group, fieldZero, cutOff, longNumber

        func write(to writer: inout WireWriter) {
            func event(_ verb: UInt64, _ kind: UInt64, _ id: [UInt8]?, field: UInt64? = nil) {
                writer.message(15) { event in
                    event.varint(1, verb)
                    event.varint(2, kind)
                    if let id { event.bytes(3, id) }
                    if let field { event.message(4) { $0.varint(1, field) } }
                }
            }
            let id = Samples.id.bytes
            switch self {
            case .numberForAuthor: writer.varint(1, 1)
            case .shortCausation: writer.bytes(2, id.prefix(15))
            case .longCorrelation: writer.bytes(3, id + [0])
            case .shortKey: writer.message(5) { $0.bytes(1, [UInt8](repeating: 0, count: 31)) }
            case .numberForEvent: writer.fixed64(15, 1)
            case .eventWithoutID: event(1, 1, nil)
            case .eventWithoutVerb: event(0, 1, id)
            case .kindOver16Bits: event(1, 65536, id)
            case .changeWithoutField: event(1, 1, id, field: 0)
            case .fieldOver56Bits: event(1, 1, id, field: 1 << 56)
            case .group: writer.raw([9 << 3 | 3, 9 << 3 | 4])
            case .fieldZero: writer.raw([0, 0])
            case .cutOff: writer.raw([9 << 3 | 2, 5, 0])
            case .longNumber: writer.raw([9 << 3] + [UInt8](repeating: 0xFF, count: 10))
            }
        }
    }

    @Test("A payload needs a salt of 16 bytes, so that no byte can pass from one to the other", arguments: [0, 15, 17])
    func saltHasOneLength(size: Int) {
        let commit = Self.commit(.sample, Samples.payload.encoded(), salt: size)
        #expect(throws: WireError.self) { try commit.withUnsafeBytes { _ = try CommitView($0) } }
    }

    @Test("A salt without a payload is no erased commit, but a damaged one")
    func saltNeedsPayload() {
        var writer = WireWriter()
        writer.bytes(1, CommitHeader.sample.encoded())
        writer.bytes(2, [UInt8](repeating: 9, count: 16))
        #expect(throws: WireError.self) { try writer.bytes.withUnsafeBytes { _ = try CommitView($0) } }
    }

    @Test("An erased payload leaves a commit that can be read")
    func erasedPayloads() throws {
        var writer = WireWriter()
        writer.bytes(1, CommitHeader.sample.encoded())
        try writer.bytes.withUnsafeBytes { raw in
            let view = try CommitView(raw)
            #expect(view.header == .sample)
            #expect(view.payloadBytes == nil && view.payloadMatches)
        }
    }

    @Test("A header is refused beyond the ends of its numbers", arguments: [UInt64(1), .max >> 1, 1 << 63, .max])
    func headerRanges(number: UInt64) {
        var (bySequence, byTime) = (CommitHeader.sample, CommitHeader.sample)
        bySequence.sequence = SequenceNumber(number)
        byTime.timestamp = Timestamp(rawValue: number)
        for header in [bySequence, byTime] {
            let read = try? header.encoded().withUnsafeBytes { try CommitHeader($0) }
            #expect(read == (number < 1 << 63 ? header : nil))
        }
    }
}

extension CommitHeader {
    static var sample: CommitHeader { Samples.header }
}
