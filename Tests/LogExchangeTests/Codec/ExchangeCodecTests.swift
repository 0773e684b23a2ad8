import EventLog
import Events
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import LogExchange

/// Generated code against our reader and writer: exchange.proto is the specification.
@Suite("Messages, records and their specification")
struct ExchangeCodecTests {
    @Test("Generated code reads a message that we wrote, and we one that it wrote", arguments: Seeds.some(300))
    func messages(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let message = random.message()
        let (ours, theirs) = (message.encoded(), Tripstore_Exchange_Envelope(message))
        #expect(try Tripstore_Exchange_Envelope(serializedBytes: ours) == theirs)
        let bytes: [UInt8] = try theirs.serializedBytes()
        #expect(Tripstore_Exchange_Envelope(try ExchangeMessage(bytes)) == theirs)
        // Read and written again, it equals ours.
        #expect(try ExchangeMessage(bytes).encoded() == ours)
    }

    @Test("The same holds of the records of bundles and of peers", arguments: Seeds.some(200))
    func records(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let record = random.record()
        let theirs = Tripstore_Exchange_BundleRecord(record)
        #expect(try Tripstore_Exchange_BundleRecord(serializedBytes: record.encoded()) == theirs)
        let bytes: [UInt8] = try theirs.serializedBytes()
        let read = try #require(try bytes.withUnsafeBytes { try BundleRecord($0) })
        #expect(Tripstore_Exchange_BundleRecord(read) == theirs)
        let peer = random.peerRecord()
        #expect(
            try Tripstore_Exchange_PeerRecord(serializedBytes: peer.encoded()) == Tripstore_Exchange_PeerRecord(peer))
        let peerBytes: [UInt8] = try Tripstore_Exchange_PeerRecord(peer).serializedBytes()
        #expect(try peerBytes.withUnsafeBytes { try PeerRecord($0) } == peer)
    }

    @Test("Fields that we do not know are passed over", arguments: Seeds.some(60))
    func unknownFields(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let message = random.message()
        var writer = WireWriter()
        writer.varint(UInt32.random(in: 20...3000, using: &random), random.magnitude())
        writer.fixed64(3000, random.next())
        writer.bytes(536_870_911, random.bytes(upTo: 20))
        #expect(try ExchangeMessage(writer.bytes + message.encoded() + writer.bytes).encoded() == message.encoded())
        let greeting = random.greeting()
        var grown = WireWriter()
        grown.varint(1, 1)
        grown.message(2) { inner in
            inner.varint(100, 5)
            greeting.write(to: &inner)
            inner.bytes(101, [1, 2, 3])
        }
        guard case .greeting(let read) = try ExchangeMessage(grown.bytes) else {
            Issue.record("no greeting")
            return
        }
        #expect(read == greeting)
    }

    @Test("A kind of message that is not known here is refused as newer, with its version")
    func unknownKind() {
        var writer = WireWriter()
        writer.varint(1, 9)
        writer.message(77) { $0.varint(1, 1) }
        let bytes = writer.bytes
        let error = #expect(throws: ExchangeError.self) { try ExchangeMessage(bytes) }
        #expect(error?.code == .newerVersion && error?.message.contains("version 9") == true)
    }

    @Test(
        "What is nearly a message is read as one or refused by a typed error, and nothing else",
        arguments: Seeds.some(400))
    func damaged(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = random.damaged(random.message().encoded())
        do { _ = try ExchangeMessage(bytes).encoded() } catch {
            let code = (error as? ExchangeError)?.code
            #expect(code == .malformed || code == .newerVersion, "\(error)")
        }
        let record = random.damaged(random.record().encoded())
        do { _ = try record.withUnsafeBytes { try BundleRecord($0) } } catch { #expect(error is WireError) }
    }

    enum Malformed: String, CaseIterable, Sendable {
        case nothing, noVersion, giantLength, shortReplica, sequenceZero, sequenceTooLarge, headsWithoutJournal
        case shortSignature, tooManyCommits, noReplica, otherWireType, group, versionOver32Bits

        var bytes: [UInt8] {
            var writer = WireWriter()
            if self != .nothing && self != .noVersion {
                writer.varint(1, self == .versionOver32Bits ? 1 << 32 : 1)
            }
            let commit = CommitID(replica: ReplicaID(publicKey: []), sequence: SequenceNumber(1), hash: .zero)
            let journal = [UInt8](repeating: 1, count: 16)
            switch self {
            case .nothing: break
            case .noVersion, .versionOver32Bits: writer.message(3) { _ in }
            case .giantLength: return writer.bytes + [0x12] + [UInt8](repeating: 0xFF, count: 9) + [1]
            case .shortReplica: writer.message(7) { $0.bytes(1, [1, 2, 3]) }
            case .sequenceZero, .sequenceTooLarge:
                writer.message(4) { inner in
                    inner.bytes(1, journal)
                    inner.message(2) {
                        $0.bytes(1, commit.replica.bytes)
                        $0.varint(2, self == .sequenceZero ? 0 : 1 << 62)
                        $0.bytes(3, commit.hash.bytes)
                    }
                }
            case .headsWithoutJournal: writer.message(4) { $0.message(2) { commit.write(to: &$0) } }
            case .shortSignature, .tooManyCommits:
                let segment = LineSegment(
                    journal: JournalID(journal.withUnsafeBytes { $0.uuid() }), replica: commit.replica,
                    first: SequenceNumber(1), previous: .zero,
                    commits: Array(repeating: [], count: self == .tooManyCommits ? 2049 : 1),
                    signature: [UInt8](repeating: 0, count: self == .shortSignature ? 63 : 64))
                writer.message(6) { $0.message(1) { segment.write(to: &$0) } }
            case .noReplica: writer.message(2) { $0.varint(1, 1) }
            case .otherWireType: writer.varint(8, 5)
            case .group: return writer.bytes + [0x43, 0x44]
            }
            return writer.bytes
        }
    }

    @Test("Malformed messages are refused as a whole", arguments: Malformed.allCases)
    func malformed(_ kind: Malformed) {
        let bytes = kind.bytes
        let error = #expect(throws: ExchangeError.self) { try ExchangeMessage(bytes) }
        #expect(error?.code == .malformed)
    }

    @Test("A message over the limit is refused before it is read")
    func tooLarge() {
        let bytes = [UInt8](repeating: 0, count: ExchangeMessage.largest + 1)
        let error = #expect(throws: ExchangeError.self) { try ExchangeMessage(bytes) }
        #expect(error?.code == .malformed)
    }
}
