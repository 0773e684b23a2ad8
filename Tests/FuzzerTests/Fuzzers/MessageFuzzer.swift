import Events

@testable import EventLog
@testable import LogExchange

/// A message of an exchange, packed or not, and the record of a peer. A stream of segments also passes the guard.
final class MessageFuzzer: Fuzzer {
    static let name = "message"
    static let longestInput = 1 << 16
    /// Of packed bytes each may become a thousand.
    static let allocationFactor = 4096

    init(in folder: String) {}

    func feed(_ bytes: UnsafeRawBufferPointer) throws {
        if let record = try? PeerRecord(bytes) {
            let again = record.encoded().withUnsafeBytes { try? PeerRecord($0) }
            expect(again == record, "a peer was written as another")
        }
        if let unpacked = try? PackedMessage.unpack(bytes.array, atMost: Self.longestInput) {
            expect(unpacked.count <= Self.longestInput, "\(unpacked.count) bytes were unpacked")
            _ = try? ExchangeMessage(unpacked).encoded()
        }
        let message = try ExchangeMessage(bytes.array)
        let written = message.encoded()
        expect((try? ExchangeMessage(written))?.encoded() == written, "a message is written in two ways")
        switch message {
        case .frontier(let frontier): SegmentChecks.check(frontier)
        case .acknowledgement(let acknowledgement): SegmentChecks.check(acknowledgement.frontier)
        case .segments(let segments): check(segments)
        case .segmentRequest(let request):
            _ =
                StreamGuard(
                    journal: request.journal, heads: request.wanted, wanted: request.wanted, held: request.held
                ).expected
        default: break
        }
    }

    private func check(_ segments: [LineSegment]) {
        for segment in segments { SegmentChecks.check(segment) }
        guard let first = segments.first else { return }
        let heads = [CommitID(replica: first.replica, sequence: first.last, hash: .zero)]
        var gathered = GatheredSegments(
            StreamGuard(journal: first.journal, heads: heads, wanted: heads, held: []))
        for segment in segments { try? gathered.add(segment) }
        expect(gathered.take().count <= segments.count, "there are more segments than came")
    }
}
