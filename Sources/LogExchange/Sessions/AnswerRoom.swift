import EventLog
import Events
import Synchronization

/// The memory that the requests and answers of one session take on the server: counted before they are made.
///
/// Without a share nothing is bounded.
final class AnswerRoom: Sendable {
    /// The bytes of an answer of which nothing better is known.
    static let usual = 16 << 10
    /// How often the bytes of a frame lie in memory at once: as a message, encoded, in its frame, and in what the transport sends or has
    /// received.
    private static let copies = 3

    let share: MemoryShare?
    /// Taken for an answer that is not made yet.
    private let reserved = Mutex(0)
    private let kept = Mutex(0)

    init(_ share: MemoryShare?) { self.share = share }

    /// The memory that a message of some bytes takes.
    static func cost(of bytes: Int) -> Int { bytes * copies }

    /// Waits until there is room for some bytes. Throws `ExchangeError.cut` if the session was ended for the room that it held.
    func take(_ cost: Int) async throws { if cost > 0 { try await share?.take(cost) } }

    /// Holds bytes until others are held in their place, or the session ends.
    func keep(_ bytes: Int) {
        let earlier = kept.withLock { kept in
            defer { kept = bytes }
            return kept
        }
        guard bytes != earlier else { return }
        add(bytes)
        give(earlier)
    }

    /// Holds what is there already.
    func add(_ cost: Int) { if cost > 0 { share?.add(cost) } }

    func give(_ cost: Int) { if cost > 0 { share?.give(cost) } }

    /// Waits until there is room for an answer of some bytes, which is made next. Throws as `take` does.
    ///
    /// Nothing is held for it meanwhile: what waits for much would else keep the room that small answers need.
    func reserve(_ bytes: Int) async throws {
        let cost = Self.cost(of: bytes)
        let held = reserved.withLock { reserved in
            defer { if reserved < cost { reserved = 0 } }
            return reserved
        }
        guard cost > held else { return }
        give(held)
        try await take(cost)
        reserved.withLock { $0 = cost }
    }

    /// The answer was made, and takes what it has instead of what was reserved for it. Returns what is to be given back after it was sent.
    func claim(_ bytes: Int) -> Int {
        let cost = Self.cost(of: bytes)
        let reserved = reserved.withLock { reserved in
            defer { reserved = 0 }
            return reserved
        }
        if cost > reserved { add(cost - reserved) } else { give(reserved - cost) }
        return cost
    }
}

extension ExchangeMessage {
    /// About how many bytes it takes once it is read.
    var readSize: Int {
        switch self {
        case .segments(let segments): segments.reduce(0) { $0 + $1.readSize }
        case .segmentParts(let parts): parts.reduce(0) { $0 + $1.segment.readSize }
        case .part(let message): message.readSize
        case .segmentRequest(let request): (request.wanted.count + request.held.count) * MemoryLayout<CommitID>.stride
        case .acknowledgement(let acknowledgement):
            acknowledgement.frontier.heads.count * MemoryLayout<CommitID>.stride
        case .contentRequest(.begin(_, let outline)): outline.leaves.count * Digest.size
        case .contentRequest(.store(_, _, let part)), .contentRequest(.piece(_, _, _, _, let part)): part.count
        default: AnswerRoom.usual
        }
    }

    /// About how many bytes each of the answers to it has, if there may be several, or one that is large: of a log with some `lines`.
    func answerSize(lines: Int) -> Int? {
        switch self {
        case .contentRequest(.parts): return ContentID.partSize + AnswerRoom.usual
        case .greeting, .frontierRequest, .segments:
            let frontier = min(lines, Frontier.mostHeads) * 64
            // A small answer waits for nothing: all could hold a little and wait for a little.
            return AnswerRoom.cost(of: frontier) > SessionMemory.smallest ? frontier : nil
        default: return nil
        }
    }
}

extension LineSegment {
    /// About how many bytes it takes once it is read: an array has some 64 bytes besides its own.
    fileprivate var readSize: Int { roughSize + (commits.count + erasures.count) * 64 }
}
