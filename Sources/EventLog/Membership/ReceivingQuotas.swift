import Events
import LMDB

/// How much others may make a log take in. What goes beyond is refused with `EventLogError.quotaExceeded`, which says which bound it
/// was; all else that they offer is taken.
public struct ReceivingQuotas: Sendable, Hashable {
    /// The most lines of replicas that are neither members nor invited, in a journal that has members…
    public static let strangerLines = 64
    /// …and the most bytes of them together. They are kept, for a grant may be on the way, and handed on to nobody.
    public static let strangerBytes = 16 << 20

    /// The most commits about members of one replica that is no admin: requests, and voids of what it wrote itself…
    public static let statements = 256
    /// …and of one that is no member.
    public static let strangerStatements = 8

    /// The most replicas that are members, were, or ask to become some.
    public var lines: Int
    /// The most replicas that ask to become members.
    public var waitingLines: Int
    /// The most bytes of one replica's commits a day, as they arrive.
    public var bytesADay: Int

    public init(lines: Int = 10_000, waitingLines: Int = 256, bytesADay: Int = 64 << 30) {
        self.lines = lines
        self.waitingLines = waitingLines
        self.bytesADay = bytesADay
    }
}

/// Holds what comes against the quotas, inside a write transaction.
struct QuotaKeeper {
    private let quotas: ReceivingQuotas
    private let tables: LogTables
    private let day: UInt64
    private var received: [ReplicaID: UInt64] = [:]
    /// Of strangers' lines: how many there are, and their bytes.
    private var strangers: (replicas: Set<ReplicaID>, bytes: Int)?
    /// How many commits about members each replica wrote.
    private var statements: [ReplicaID: Int]?

    /// `now` is in milliseconds since 1970.
    init(_ quotas: ReceivingQuotas, _ tables: LogTables, now: Int64) {
        self.quotas = quotas
        self.tables = tables
        day = UInt64(max(0, now)) / 86_400_000
    }

    /// Throws `EventLogError.quotaExceeded` if commits of a replica are not to be stored.
    mutating func admit(
        _ commits: ArraySlice<VerifiedSegment.Commit>, of replica: ReplicaID, isNew: Bool, _ verdicts: Verdicts,
        _ log: borrowing LogSnapshot
    ) throws {
        let bytes = commits.reduce(0) { $0 + $1.bytes.count }
        if let membership = verdicts.membership {
            try admit(commits.count { $0.isMembership }, statementsOf: replica, membership, log)
        }
        if let membership = verdicts.membership {
            if try membership.isStranger(replica) && replica != log.replica() {
                try admitStranger(bytes, replica, membership, log)
            } else if isNew, membership.members[replica] == nil {
                let waiting = try membership.requests.keys.filter { try log.hasLine(of: $0) }.count
                guard waiting < quotas.waitingLines else {
                    throw Self.exceeded("\(waiting) replicas ask to become members", replica, "\(quotas.waitingLines)")
                }
            }
        }
        if isNew {
            let lines = try log.transaction.count(of: tables.heads)
            guard lines < quotas.lines else {
                throw Self.exceeded("there are \(lines) lines", replica, "\(quotas.lines)")
            }
        }
        let sum = try received[replica] ?? log.received(from: replica, on: day)
        guard sum + UInt64(bytes) <= UInt64(max(0, quotas.bytesADay)) else {
            throw Self.exceeded("\(sum) of its bytes came today, and \(bytes) more", replica, "\(quotas.bytesADay)")
        }
        received[replica] = sum + UInt64(bytes)
    }

    /// Each statement may change who is a member, which is then found out anew.
    private mutating func admit(
        _ count: Int, statementsOf replica: ReplicaID, _ membership: Membership, _ log: borrowing LogSnapshot
    ) throws {
        guard count > 0, membership.role(of: replica) != .admin else { return }
        var held = try statements ?? log.statementCounts()
        held[replica, default: 0] += count
        statements = held
        let most = membership.mostStatements(of: replica)
        guard held[replica, default: 0] <= most else {
            throw Self.exceeded("it is no admin, and says too much about members", replica, "\(most) commits")
        }
    }

    private mutating func admitStranger(
        _ bytes: Int, _ replica: ReplicaID, _ membership: Membership, _ log: borrowing LogSnapshot
    ) throws {
        var held = try strangers ?? log.strangers(membership)
        held.replicas.insert(replica)
        guard held.replicas.count <= ReceivingQuotas.strangerLines else {
            throw Self.exceeded(
                "it is no member, and lines of \(held.replicas.count - 1) others are kept that are none", replica,
                "\(ReceivingQuotas.strangerLines)")
        }
        guard held.bytes + bytes <= ReceivingQuotas.strangerBytes else {
            throw Self.exceeded(
                "it is no member, and \(held.bytes) bytes are kept of such, with \(bytes) more", replica,
                "\(ReceivingQuotas.strangerBytes)")
        }
        held.bytes += bytes
        strangers = held
    }

    /// Writes how much came today.
    func finish(_ transaction: borrowing WriteTransaction) throws {
        for (replica, bytes) in received {
            try transaction.put(
                LogSnapshot.receivedKey(replica), day.bigEndianBytes + bytes.bigEndianBytes, in: tables.meta)
        }
    }

    private static func exceeded(_ what: String, _ replica: ReplicaID, _ most: String) -> EventLogError {
        EventLogError(
            .quotaExceeded,
            "Commits of replica \(replica) are not taken in: \(what), and \(most) are the most. Everything else is taken in."
        )
    }
}

extension Membership {
    /// How many commits about members are taken in of one that is no admin.
    func mostStatements(of replica: ReplicaID) -> Int {
        members[replica] == nil ? ReceivingQuotas.strangerStatements : ReceivingQuotas.statements
    }
}

extension LogSnapshot {
    /// How many commits about members each replica wrote. O(those).
    func statementCounts() throws -> [ReplicaID: Int] {
        var counts: [ReplicaID: Int] = [:]
        var cursor = try transaction.cursor(on: tables.members)
        var row = try cursor.first()
        while let current = row {
            guard current.key.count == 8, let commit = try bytes(at: current.key.bigEndian(UInt64.self)) else {
                throw Self.damaged("a row of members")
            }
            let header = commit.view.header
            if header.isMembership { counts[header.replica, default: 0] += 1 }
            row = try cursor.next()
        }
        return counts
    }

    fileprivate static func receivedKey(_ replica: ReplicaID) -> [UInt8] { Array("received/".utf8) + replica.bytes }

    fileprivate func received(from replica: ReplicaID, on day: UInt64) throws -> UInt64 {
        guard let row = try meta(Self.receivedKey(replica)), row.count == 16 else { return 0 }
        return row.withUnsafeBytes { $0.bigEndian(UInt64.self) == day ? $0.bigEndian(UInt64.self, at: 8) : 0 }
    }

    fileprivate func hasLine(of replica: ReplicaID) throws -> Bool {
        try head(of: LineID(journal: journal(), replica: replica)) != nil
    }

    /// The replicas of lines that nobody lists, and the bytes of their commits. O(lines, commits of strangers): both have a bound.
    fileprivate func strangers(_ membership: Membership) throws -> (replicas: Set<ReplicaID>, bytes: Int) {
        let own = try replica()
        var found: (replicas: Set<ReplicaID>, bytes: Int) = ([], 0)
        for family in try families(of: try journal())
        where family.replica != own && membership.isStranger(family.replica) {
            found.replicas.insert(family.replica)
            for member in family.members {
                var sequence = member.head.first
                while sequence <= member.head.sequence {
                    let position = try run(of: sequence, in: member.head, family.replica).position
                    found.bytes += try bytes(at: position.rawValue)?.view.bytes.count ?? 0
                    sequence = sequence.next
                }
            }
        }
        return found
    }
}
