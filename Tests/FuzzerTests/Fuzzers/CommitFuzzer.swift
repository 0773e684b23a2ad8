import Foundation
import TestSupport

@testable import EventLog
@testable import Events

/// A commit and everything in it: header, payload, events, changes; and the record of an entity, which is made of them.
///
/// An input is tried as each of these.
final class CommitFuzzer: Fuzzer {
    static let name = "commit"
    static let longestInput = 1 << 16

    init(in folder: String) {}

    func feed(_ bytes: UnsafeRawBufferPointer) throws {
        if let commit = try? CommitView(bytes) {
            checkHeader(commit.headerBytes)
            _ = commit.payloadMatches
            if let payload = commit.payloadBytes { checkPayload(payload) }
            _ = commit.hash(after: .zero)
        }
        checkHeader(bytes)
        checkPayload(bytes)
        checkRecord(bytes)
    }

    private func checkHeader(_ bytes: UnsafeRawBufferPointer) {
        guard let header = try? CommitHeader(bytes) else { return }
        let again = header.encoded().withUnsafeBytes { try? CommitHeader($0) }
        expect(again == header, "\(header) was written as \(String(describing: again))")
    }

    private func checkPayload(_ bytes: UnsafeRawBufferPointer) {
        let view = PayloadView(bytes)
        let (isWellFormed, isPlain) = view.form()
        let copy = try? view.copy()
        let replicas = (try? view.seenReplicas()) ?? SeenReplicas()
        expect((copy != nil) == isWellFormed, "well-formed: \(isWellFormed), and read: \(copy != nil)")
        var one: [Event?] = []
        view.forEachReadableEvent { event, _ in one.append(try? event.copy(replicas)) }
        guard let copy else { return }
        expect(one == copy.events, "events one by one are others than those of the payload")
        var plain: [Event?] = []
        view.forEachReadableEvent(isPlain: isPlain) { event, _ in plain.append(try? event.copy(replicas)) }
        expect(plain == one, "the fast path reads other events")
        var whole: [Event?] = []
        let isRead = view.readEvents { event, _ in whole.append(try? event.copy(replicas)) }
        expect(isRead && whole == one, "all in one pass are other events")
        expect((try? view.eventCount()) == one.count, "\(one.count) events are counted otherwise")
        checkAlternatives(view, copy)
        checkWritten(copy)
        checkMerge(view, copy)
    }

    private func checkAlternatives(_ view: PayloadView, _ copy: Payload) {
        let outline = try? view.outline()
        let replicas = (try? view.seenReplicas()) ?? SeenReplicas()
        expect(outline?.seen == replicas, "the outline lists other replicas than the payload")
        expect(
            outline?.author == copy.author && outline?.causation == copy.causation
                && outline?.correlation == copy.correlation && outline?.events.count == copy.events.count,
            "the outline is another than the payload")
        for (index, range) in (outline?.events ?? []).enumerated() where index < 100 {
            let event = try? view.event(in: range)?.copy(replicas)
            expect(event == copy.events[index], "event \(index) in \(range) is another")
            if index < 10 {
                let found = try? view.event(at: index)?.copy(replicas)
                expect(found == event, "event \(index) is another")
            }
        }
    }

    /// What was read, written again, reads the same and is written the same.
    private func checkWritten(_ payload: Payload) {
        // A key of another length cannot be read; a payload may have none at all.
        if let introduction = payload.introduction, introduction.publicKey.count != 32 { return }
        let written = payload.encoded()
        let again = written.withUnsafeBytes { try? PayloadView($0).copy() }
        expect(again == payload, "the payload was written as another")
        expect(again?.encoded() == written, "the payload is written in two ways")
        // The writer of events writes the same bytes.
        guard payload.introduction == nil, payload.appendID == nil else { return }
        var writer = PayloadWriter(
            author: payload.author, causation: payload.causation, correlation: payload.correlation)
        written.withUnsafeBytes { bytes in
            for replica in (try? PayloadView(bytes).seenReplicas())?.replicas ?? [] {
                _ = writer.reference(to: Seen(timestamp: .zero, replica: replica))
            }
            try? PayloadView(bytes).forEachEvent { event, _ throws(WireError) in
                _ = writer.add(bytes.part(event.range(in: bytes)))
            }
        }
        expect(writer.finish(holding: payload.held) == written, "the writer of events writes another payload")
    }

    /// All events as if they were of one entity, each third in another commit.
    private func checkMerge(_ view: PayloadView, _ payload: Payload) {
        var record = EntityRecord()
        var merger = RecordMerger()
        func stamp(_ index: Int) -> Stamp {
            let time = UInt64(index % 3 + 1) << 20
            return Stamp(
                timestamp: Timestamp(rawValue: time), replica: ReplicaID(publicKey: []),
                hash: Digest(words: (0, 0, 0, UInt64(index % 2))))
        }
        view.forEachReadableEvent { event, index in
            expect((try? record.apply(event, index: index, stamp: stamp(index))) != nil, "event \(index) is not merged")
            expect((try? merger.apply(event, index: index, stamp: stamp(index))) != nil, "event \(index) is not merged")
        }
        var merged: [UInt8] = []
        merger.encode(into: &merged)
        expect(merged == record.encoded(), "in place and by copies \(payload.events.count) events merge differently")
        merged.withUnsafeBytes { bytes in
            expect(Self.rewritten(bytes) == bytes.array, "a record is not written as it was read")
            checkRecord(bytes)
        }
    }

    private static func rewritten(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        var merger = RecordMerger()
        guard let view = try? RecordView(bytes), (try? merger.reset(to: view)) != nil else { return nil }
        var written: [UInt8] = []
        merger.encode(into: &written)
        return written
    }

    private func checkRecord(_ bytes: UnsafeRawBufferPointer) {
        guard let view = try? RecordView(bytes) else { return }
        _ = try? view.creation()
        _ = try? view.creationTimestamp()
        _ = try? view.newest()
        _ = try? view.newestTimestamp()
        _ = try? view.isDeleted()
        _ = try? view.isPresent()
        var general = view.registers
        try? view.forEachRegister { register throws(WireError) in
            _ = try? view.stamp(of: register)
            let other = try general.longNext()
            expect(
                register.field == other.field && register.key.equals(other.key)
                    && register.stampIndex == other.stampIndex
                    && register.value.map { $0.array } == other.value.map { $0.array },
                "the fast path reads another register")
        }
        let copy = try? EntityRecord(view)
        guard let written = Self.rewritten(bytes) else { return }
        let copied = written.withUnsafeBytes { try? EntityRecord($0).encoded() }
        expect(copied == written && copy != nil, "a record is copied as another")
        let again = written.withUnsafeBytes { Self.rewritten($0) }
        expect(again == written, "a record is written in two ways")
    }
}
