import Events

/// The commits of a transaction that is about to become durable, in memory of their own: for work overlapped with the
/// fsync.
public struct CommitCopies: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var first = Position.start

    /// Above this size copying costs more than it gains.
    private static let sizeLimit = 256 << 10
    /// Whether all written commits are here.
    private(set) var isWhole = true

    init() {}

    var isEmpty: Bool { ends.isEmpty }

    /// The log's last position before them.
    public var start: Position { Position(first.rawValue - 1) }

    mutating func add(_ front: [UInt8], _ payload: [UInt8], at position: Position) {
        guard isWhole, bytes.count + front.count + payload.count <= Self.sizeLimit else {
            isWhole = false
            return
        }
        if ends.isEmpty { first = position }
        bytes += front
        bytes += payload
        ends.append(bytes.count)
    }

    /// Calls `body` with the commits in order; they are valid during the call.
    public func withCommits<T>(_ body: ([StoredCommit]) throws -> T) throws -> T {
        try bytes.withUnsafeBytes { bytes in
            var start = 0
            var position = first
            let commits = try ends.map { end in
                defer { (start, position) = (end, position.next) }
                let (hash, view) = try LogSnapshot.commit(bytes.part(start..<end), at: position)
                // A replica whose commits do not count writes none.
                return StoredCommit(position: position, hash: hash, view: view, counts: true)
            }
            return try body(commits)
        }
    }
}
