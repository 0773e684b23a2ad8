import EventLog
import Events

/// Cuts segments into parts, so that a connection that carries little more than one part makes progress; leaves out what the other side
/// holds aside.
struct SegmentCutter {
    /// The most bytes of a part: of its commits and their erasures, or of a piece of a commit or a content.
    static let most = 32 << 10

    private let held: HeldParts

    init(_ held: HeldParts) { self.held = held }

    /// The segment itself if it is small. O(bytes).
    func parts(of segment: LineSegment) -> [SegmentPart] {
        guard segment.byteCount + segment.erasures.reduce(0, { $0 + $1.count }) > Self.most else {
            return [SegmentPart(segment)]
        }
        let names = segment.commitIDs()
        // The other side says what is wrong with commits that cannot be read.
        guard names.count == segment.commits.count, !names.isEmpty else { return [SegmentPart(segment)] }
        let erasures = Dictionary(grouping: segment.erasures) {
            LineSegment.sequence(ofErasure: $0) ?? segment.last
        }
        var parts: [SegmentPart] = []
        var start = names.lastIndex { held.commits.contains($0) }.map { $0 + 1 } ?? 0
        var (index, bytes) = (start, 0)

        func part(
            _ commits: [[UInt8]], _ erasures: [[UInt8]], isLast: Bool, _ piece: SegmentPart.Piece? = nil
        ) -> SegmentPart {
            SegmentPart(
                LineSegment(
                    journal: segment.journal, replica: segment.replica,
                    first: SequenceNumber(segment.first.rawValue + UInt64(start)),
                    previous: start == 0 ? segment.previous : names[start - 1].hash, commits: commits,
                    signature: isLast ? segment.signature : [], erasures: erasures),
                start: segment.first, piece: piece)
        }
        func close() {
            guard index > start else { return }
            let erasures = names[start..<index].flatMap { erasures[$0.sequence] ?? [] }
            parts.append(part(Array(segment.commits[start..<index]), erasures, isLast: index == names.count))
            (start, bytes) = (index, 0)
        }

        while index < names.count {
            let commit = segment.commits[index]
            let own = erasures[names[index].sequence] ?? []
            let size = own.reduce(commit.count) { $0 + $1.count }
            if bytes + size > Self.most { close() }
            guard commit.count > Self.most else {
                index += 1
                bytes += size
                continue
            }
            let digest = commit.withUnsafeBytes { ContentTree.leaf($0) }
            for range in Self.pieces(of: commit.count, from: held.pieces[digest]) {
                let isWhole = range.upperBound == commit.count
                parts.append(
                    part(
                        [Array(commit[range])], isWhole ? own : [], isLast: isWhole && index + 1 == names.count,
                        SegmentPart.Piece(digest: digest, size: commit.count, offset: range.lowerBound)))
            }
            index += 1
            start = index
        }
        close()
        // The other side holds all of it but for the signature.
        return parts.isEmpty ? [part([], [], isLast: true)] : parts
    }

    /// Parts of some segments, in groups that are each sent together.
    func messages(of segments: [LineSegment]) -> [[SegmentPart]] {
        var messages: [[SegmentPart]] = []
        var bytes = Self.most
        for part in segments.flatMap(parts) {
            let size = part.segment.erasures.reduce(part.segment.byteCount) { $0 + $1.count }
            if bytes + size > Self.most {
                messages.append([])
                bytes = 0
            }
            messages[messages.count - 1].append(part)
            bytes += size
        }
        return messages
    }

    /// The ranges of some bytes that are sent as pieces, if the other side holds the first of them.
    static func pieces(of size: Int, from held: Int?) -> [Range<Int>] {
        let held = held.map { $0 < size ? $0 : 0 } ?? 0
        return stride(from: held, to: size, by: most).map { $0..<min($0 + most, size) }
    }
}

/// A channel of a connection that may be cut at any time: what is large is sent in parts, and parts are kept aside.
protocol CuttingChannel: MessageChannel {
    /// Keeps what the other side sends; nil if this side stores nothing.
    var keeper: PartKeeper? { get }

    /// The parts that the other side held aside when it greeted; nil if it takes no parts.
    var heldThere: HeldParts? { get }
    func note(heldThere: HeldParts?)

    /// Sends one request in several messages.
    func call(_ messages: [ExchangeMessage], _ body: ([UInt8]) async throws -> Void) async throws
}
