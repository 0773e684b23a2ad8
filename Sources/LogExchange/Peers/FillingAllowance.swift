import EventLog
import Events

/// How often the commits of a peer's holes may be sent to it: each three times a day, so that who claims holes that stay costs little.
///
/// Kept beside the log, for the last day on which anything was sent.
struct FillingAllowance {
    static let mostADay: UInt8 = 3
    private static let prefix = "filled/"
    /// The first bytes of a commit's hash tell it from others.
    private static let nameSize = 16
    private static let millisecondsOfDay: Int64 = 86_400_000

    private let log: Log
    private let replica: ReplicaID

    init(_ log: Log, _ replica: ReplicaID) {
        self.log = log
        self.replica = replica
    }

    private var today: UInt64 { UInt64(max(log.wallClock, 0) / Self.millisecondsOfDay) }

    /// Those that may be sent once more today.
    func allowed(_ commits: [CommitID]) throws -> Set<CommitID> {
        let counts = try counts()
        return Set(commits.filter { counts[Self.name($0)] ?? 0 < Self.mostADay })
    }

    /// Some are about to be sent.
    func note(_ commits: [CommitID]) async throws {
        // A store that is only read from keeps no count, and each process sends a commit once.
        guard !log.isReadOnly else { return }
        var counts = try counts()
        for commit in commits { counts[Self.name(commit), default: 0] += 1 }
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: today >> (56 - 8 * $0)) }
        for (name, count) in counts { bytes += name + [count] }
        try await log.worker.run { [log, replica, bytes] in try log.setNote(Self.prefix + "\(replica)", bytes) }
    }

    private func counts() throws -> [[UInt8]: UInt8] {
        guard let bytes = try log.note(Self.prefix + "\(replica)"), bytes.count >= 8,
            bytes[..<8].reduce(0, { $0 << 8 | UInt64($1) }) == today
        else { return [:] }
        var counts: [[UInt8]: UInt8] = [:]
        var place = 8
        while place + Self.nameSize < bytes.count {
            counts[Array(bytes[place..<place + Self.nameSize])] = bytes[place + Self.nameSize]
            place += Self.nameSize + 1
        }
        return counts
    }

    private static func name(_ commit: CommitID) -> [UInt8] { Array(commit.hash.bytes.prefix(nameSize)) }
}
