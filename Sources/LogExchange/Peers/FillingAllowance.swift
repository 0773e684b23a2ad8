import EventLog
import Events

/// How often commits may be sent again to fill the holes of peers: each three times a day to one replica, and sixteen times to all, so that
/// who claims holes that stay costs little, under however many names.
///
/// Kept beside the log, for the last day on which anything was sent.
struct FillingAllowance {
    static let mostToOne = 3
    static let mostToAll = 16
    /// The most that are counted in a day: beyond, nothing is sent.
    static let mostCounted = 1 << 16
    private static let note = "filled"
    private static let millisecondsOfDay: Int64 = 86_400_000
    /// The first bytes of a commit's hash, and of a replica, tell them from others.
    private static let (commitSize, replicaSize) = (16, 8)

    private let log: Log
    private let replica: [UInt8]
    private let today: UInt64
    /// By commit, and by commit and replica.
    private var counts: [[UInt8]: Int] = [:]
    private var isChanged = false

    init(_ log: Log, _ replica: ReplicaID) throws {
        self.log = log
        self.replica = Array(replica.bytes.prefix(Self.replicaSize))
        today = UInt64(max(log.wallClock, 0) / Self.millisecondsOfDay)
        guard let bytes = try log.note(Self.note), bytes.count >= 8,
            bytes[..<8].reduce(0, { $0 << 8 | UInt64($1) }) == today
        else { return }
        let size = Self.commitSize + Self.replicaSize
        for place in stride(from: 8, through: bytes.count - size - 1, by: size + 1) {
            count(Array(bytes[place..<place + size]), Int(bytes[place + size]))
        }
    }

    private mutating func count(_ pair: [UInt8], _ number: Int) {
        counts[pair, default: 0] += number
        counts[Array(pair.prefix(Self.commitSize)), default: 0] += number
    }

    private func name(_ commit: CommitID) -> [UInt8] { Array(commit.hash.bytes.prefix(Self.commitSize)) }

    /// Whether a commit may be sent once more today.
    func allows(_ commit: CommitID) -> Bool {
        let name = name(commit)
        return counts.count < Self.mostCounted && counts[name + replica, default: 0] < Self.mostToOne
            && counts[name, default: 0] < Self.mostToAll
    }

    /// Some are about to be sent.
    mutating func note(_ commits: some Sequence<CommitID>) {
        for commit in commits { count(name(commit) + replica, 1) }
        isChanged = true
    }

    /// Writes the counts.
    func save() async throws {
        // A store that is only read from keeps none.
        guard isChanged, !log.isReadOnly else { return }
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: today >> (56 - 8 * $0)) }
        for (pair, count) in counts where pair.count > Self.commitSize { bytes += pair + [UInt8(clamping: count)] }
        try await log.worker.run { [log, bytes] in try log.setNote(Self.note, bytes) }
    }
}
