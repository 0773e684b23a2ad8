import Events
import LMDB

/// How much others may make a log take in. What goes beyond is refused with `EventLogError.quotaExceeded`, which says which bound it
/// was; all else that they offer is taken.
public struct ReceivingQuotas: Sendable, Hashable {
    /// The most lines of replicas that are neither members nor invited, in a journal that has members…
    public static let strangerLines = 64
    /// …and the most bytes of them together. They are kept, for a grant may be on the way, and handed on to nobody.
    public static let strangerBytes = 16 << 20

    /// The most commits about members a day of a member that is no admin: voids of what it wrote itself…
    public static let statementsADay = 4096
    /// …and at all of a replica that is no member: requests.
    public static let strangerStatements = 8
    /// The most bytes of a commit about members of either: a void, or a request, takes some 300.
    public static let statementBytes = 4096

    /// The most replicas of which commits are held, but for those that an admin granted and those in their place.
    public var lines: Int
    /// The most replicas that ask to become members…
    public var waitingLines: Int
    /// …and the most bytes of one of them.
    public var waitingBytes: Int
    /// The most bytes of one replica's commits a day, as they arrive.
    public var bytesADay: Int

    public init(
        lines: Int = 10_000, waitingLines: Int = 256, waitingBytes: Int = 256 << 20, bytesADay: Int = 64 << 30
    ) {
        self.lines = lines
        self.waitingLines = waitingLines
        self.waitingBytes = waitingBytes
        self.bytesADay = bytesADay
    }
}

/// Checks what arrives against the quotas, inside a write transaction.
struct QuotaKeeper {
    private let quotas: ReceivingQuotas
    private let tables: LogTables
    private let day: UInt64
    private var received: [ReplicaID: Received] = [:]
    /// The replicas that nobody speaks for and of which commits are held, and the bytes of these.
    private var strangers: (replicas: Set<ReplicaID>, bytes: Int)?
    /// How many commits about members each replica wrote.
    private var statements: [ReplicaID: Int]?
    /// Of how many replicas commits are held.
    private var replicaCount: Int?

    /// What arrived of a replica: a row of `meta`.
    fileprivate struct Received {
        /// Since 1970.
        var day: UInt64 = 0
        /// On that day.
        var bytes: UInt64 = 0
        var statements: UInt64 = 0
        /// On all days.
        var total: UInt64 = 0

        func encoded() -> [UInt8] { [day, bytes, statements, total].flatMap(\.bigEndianBytes) }
    }

    /// Why commits of a replica are taken in.
    private enum Ground {
        /// It is a member, or was, or becomes one by what arrives: they come within the quotas of members.
        case member
        /// It asks to become a member.
        case waiting
        case stranger
    }

    /// `now` is in milliseconds since 1970.
    init(_ quotas: ReceivingQuotas, _ tables: LogTables, now: Int64) {
        self.quotas = quotas
        self.tables = tables
        day = UInt64(max(0, now)) / 86_400_000
    }

    /// Throws `EventLogError.quotaExceeded` if commits of a replica are not to be stored. Those of one that was revoked are wanted if they
    /// may lead to a commit that a cut names.
    mutating func admit(
        _ commits: ArraySlice<VerifiedSegment.Commit>, of replica: ReplicaID, isNew: Bool, isWanted: Bool,
        _ verdicts: Verdicts, _ log: borrowing LogSnapshot
    ) throws {
        var sums = try received[replica] ?? log.received(from: replica)
        if sums.day != day { (sums.day, sums.bytes, sums.statements) = (day, 0, 0) }
        let bytes = UInt64(commits.reduce(0) { $0 + $1.size })
        sums.bytes += bytes
        sums.total += bytes
        if let membership = verdicts.membership {
            let count = commits.count { $0.isMembership }
            sums.statements += UInt64(count)
            let role = try role(stating: commits, of: replica, isWanted: isWanted, membership, log)
            try admit(count, statementsOf: replica, as: role, today: sums.statements, log)
            try admitStatementBytes(commits, of: replica, as: role)
            switch try ground(for: commits, of: replica, verdicts, membership, log) {
            case .member: break
            case .waiting: try admitWaiting(sums, replica, isNew: isNew, membership, log)
            case .stranger: try admitStranger(Int(clamping: bytes), replica, membership, log)
            }
        }
        if isNew {
            let held = try replicaCount ?? log.replicaCount()
            // Whom an admin granted everybody takes in, and who goes on in such a one's place, or they would differ in what counts for good.
            let isGranted =
                try verdicts.membership.map { membership in
                    if membership.isRoot(replica) { return true }
                    guard let former = try predecessor(of: commits, in: log.journal(), log) else { return false }
                    return membership.role(of: former) != nil && membership.hasRoom(after: former)
                } ?? false
            guard held < quotas.lines || isGranted else {
                throw Self.exceeded("commits of \(held) replicas are held", replica, "\(quotas.lines)", .lines)
            }
            replicaCount = held + 1
        }
        guard sums.bytes <= UInt64(max(0, quotas.bytesADay)) else {
            throw Self.exceeded(
                "\(sums.bytes - bytes) of its bytes arrived today, and \(bytes) more", replica, "\(quotas.bytesADay)",
                .bytesADay)
        }
        received[replica] = sums
    }

    /// What arrives may itself say that the replica waits, or in whose place it writes.
    private func ground(
        for commits: ArraySlice<VerifiedSegment.Commit>, of replica: ReplicaID, _ verdicts: Verdicts,
        _ membership: Membership, _ log: borrowing LogSnapshot
    ) throws -> Ground {
        if membership.members[replica] != nil || verdicts.waiting.contains(replica) { return .member }
        if membership.waits(replica) { return .waiting }
        if commits.first?.sequence.rawValue == 1 && membership.named.contains(replica) { return .member }
        let journal = try log.journal()
        if let former = try predecessor(of: commits, in: journal, log), membership.hasRoom(after: former) {
            if membership.members[former] != nil { return .member }
            if membership.waits(former) { return .waiting }
        }
        let asks = commits.lazy.filter(\.isMembership).prefix(MembershipRequest.mostJudged).contains { commit in
            commit.requests.contains { request in
                membership.isOpen(request.invitation)
                    && request.isSigned(journal: journal, replica: replica, tables.membership.signatures)
            }
        }
        return asks ? .waiting : .stranger
    }

    /// The role by which it is judged how much a replica says of members: its own or, where its first commit is among these, that of the
    /// member in whose place it writes, the higher of the two. Of one that was revoked, or goes on in such a one's place, only what a cut
    /// names: nothing else that it says counts.
    private func role(
        stating commits: ArraySlice<VerifiedSegment.Commit>, of replica: ReplicaID, isWanted: Bool,
        _ membership: Membership, _ log: borrowing LogSnapshot
    ) throws -> MemberRole? {
        var roles: [MemberRole] = []
        if let own = membership.members[replica], !own.isRevoked || isWanted { roles.append(own.role) }
        if let former = try predecessor(of: commits, in: log.journal(), log), membership.hasRoom(after: former),
            let member = membership.members[former],
            !member.isRevoked || member.cuts.contains(where: { $0.contains { $0.replica == replica } })
        {
            roles.append(member.role)
        }
        return roles.max()
    }

    /// The replica that handed over to the one whose commits these are, if the first is among them and says so.
    private func predecessor(
        of commits: ArraySlice<VerifiedSegment.Commit>, in journal: JournalID, _ log: borrowing LogSnapshot
    ) throws -> ReplicaID? {
        guard let first = commits.first, first.sequence.rawValue == 1, let introduction = first.payload?.introduction,
            let former = introduction.previous,
            let signature = introduction.handover, let key = try log.publicKey(of: former, in: journal),
            tables.membership.signatures.isValid(
                signature, publicKey: key,
                message: HandoverSignature.message(journal: journal, from: former, to: introduction.publicKey))
        else { return nil }
        return former
    }

    /// Each statement may change who is a member, which is then found out anew.
    private mutating func admit(
        _ count: Int, statementsOf replica: ReplicaID, as role: MemberRole?, today: UInt64,
        _ log: borrowing LogSnapshot
    ) throws {
        guard count > 0 else { return }
        if let role {
            // What an admin said, or a former one before its cut, is needed by everybody: members hang on it.
            guard role != .admin, today > ReceivingQuotas.statementsADay else { return }
            throw Self.exceeded(
                "it is no admin, and \(today) of its commits about members arrived today", replica,
                "\(ReceivingQuotas.statementsADay)", .statementsADay)
        }
        var held = try statements ?? log.statementCounts()
        held[replica, default: 0] += count
        statements = held
        guard held[replica, default: 0] <= ReceivingQuotas.strangerStatements else {
            throw Self.exceeded(
                "it is no member, and says \(held[replica, default: 0]) times something about members", replica,
                "\(ReceivingQuotas.strangerStatements)", .strangerStatements)
        }
    }

    /// Whatever is said is read each time that it is found out who is a member, also what does not count.
    private func admitStatementBytes(
        _ commits: ArraySlice<VerifiedSegment.Commit>, of replica: ReplicaID, as role: MemberRole?
    ) throws {
        guard role != .admin else { return }
        guard let large = commits.first(where: { $0.isMembership && $0.bytes.count > ReceivingQuotas.statementBytes })
        else { return }
        throw Self.exceeded(
            "it is no admin, and its commit \(large.sequence) about members has \(large.bytes.count) bytes", replica,
            "\(ReceivingQuotas.statementBytes)", .statementBytes)
    }

    private func admitWaiting(
        _ sums: Received, _ replica: ReplicaID, isNew: Bool, _ membership: Membership, _ log: borrowing LogSnapshot
    ) throws {
        if isNew || !membership.waits(replica) {
            let others = try membership.requests.keys.filter { try $0 != replica && log.hasLine(of: $0) }.count
            guard others < quotas.waitingLines else {
                throw Self.exceeded(
                    "\(others) replicas ask to become members", replica, "\(quotas.waitingLines)", .waitingLines)
            }
        }
        guard sums.total <= UInt64(max(0, quotas.waitingBytes)) else {
            throw Self.exceeded(
                "it asks to become a member, and \(sums.total) of its bytes arrived", replica, "\(quotas.waitingBytes)",
                .waitingBytes)
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
                "\(ReceivingQuotas.strangerLines)", .strangerLines)
        }
        guard held.bytes + bytes <= ReceivingQuotas.strangerBytes else {
            throw Self.exceeded(
                "it is no member, and \(held.bytes) bytes are kept of such, with \(bytes) more", replica,
                "\(ReceivingQuotas.strangerBytes)", .strangerBytes)
        }
        held.bytes += bytes
        strangers = held
    }

    /// Writes how much arrived.
    func finish(_ transaction: borrowing WriteTransaction) throws {
        for (replica, sums) in received {
            try transaction.put(LogSnapshot.receivedKey(replica), sums.encoded(), in: tables.meta)
        }
    }

    private static func exceeded(
        _ what: String, _ replica: ReplicaID, _ most: String, _ quota: EventLogError.Quota
    ) -> EventLogError {
        EventLogError(
            .quotaExceeded,
            "Commits of replica \(replica) are not taken in: \(what), and \(most) are the most (quota \(quota.rawValue)). Everything else is "
                + "taken in.", quota: quota)
    }
}

extension VerifiedSegment.Commit {
    fileprivate var payload: Payload? { bytes.withUnsafeBytes { try? (try? CommitView($0))?.payload?.copy() } }

    /// The requests to become a member that it makes.
    fileprivate var requests: [MembershipRequest] {
        guard let payload, payload.isMembershipBounded else { return [] }
        return payload.membership.lazy.compactMap { bytes in
            let statement = try? bytes.withUnsafeBytes { try MembershipStatement($0) }
            if case .request(let request) = statement { return request }
            return nil
        }.prefix(MembershipRequest.mostJudged).map { $0 }
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

    fileprivate func received(from replica: ReplicaID) throws -> QuotaKeeper.Received {
        guard let row = try meta(Self.receivedKey(replica)), row.count == 32 else { return QuotaKeeper.Received() }
        return row.withUnsafeBytes {
            QuotaKeeper.Received(
                day: $0.bigEndian(UInt64.self), bytes: $0.bigEndian(UInt64.self, at: 8),
                statements: $0.bigEndian(UInt64.self, at: 16), total: $0.bigEndian(UInt64.self, at: 24))
        }
    }

    /// Of how many replicas of the journal commits are held. O(lines).
    fileprivate func replicaCount() throws -> Int {
        let journal = try journal().bytes
        var count = 0
        var cursor = try transaction.cursor(on: tables.heads)
        var row = try cursor.seek(atOrAfter: journal)
        while let current = row, current.key.starts(with: journal) {
            // The keys of branches are longer.
            if current.key.count == 32 { count += 1 }
            row = try cursor.next()
        }
        return count
    }

    fileprivate func hasLine(of replica: ReplicaID) throws -> Bool {
        try head(of: LineID(journal: journal(), replica: replica)) != nil
    }

    /// The replicas that nobody speaks for, and the bytes of their commits. It stops once either is beyond its quota: an admin
    /// who falls may leave behind many whom it had granted.
    fileprivate func strangers(_ membership: Membership) throws -> (replicas: Set<ReplicaID>, bytes: Int) {
        let waiting = try verdicts().waiting
        var found: (replicas: Set<ReplicaID>, bytes: Int) = ([], 0)
        for family in try families(of: try journal())
        where membership.isStranger(family.replica) && !waiting.contains(family.replica) {
            found.replicas.insert(family.replica)
            for member in family.members {
                var sequence = member.head.first
                while sequence <= member.head.sequence {
                    if found.bytes > ReceivingQuotas.strangerBytes { return found }
                    let position = try run(of: sequence, in: member.head, family.replica).position
                    found.bytes += try bytes(at: position.rawValue)?.view.bytes.count ?? 0
                    sequence = sequence.next
                }
            }
        }
        return found
    }
}
