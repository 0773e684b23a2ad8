import Events
import LMDB

/// Checks arriving commits against the quotas, inside a write transaction.
struct QuotaKeeper {
    private let quotas: ReceivingQuotas
    private let tables: LogTables
    private let day: UInt64
    /// Whether a bound that is reached refuses anything, or commits are only counted.
    private let enforces: Bool
    private var received: [ReplicaID: Received] = [:]
    /// The replicas that no member vouches for and whose commits are held, and the bytes of these.
    private var strangers: (replicas: Set<ReplicaID>, bytes: Int)?
    /// How many commits about members each replica wrote.
    private var statements: [ReplicaID: Int]?
    /// The number of replicas whose commits are held.
    private var replicaCount: Int?

    /// What arrived from a replica: a row of `meta`.
    struct Received {
        /// Since 1970.
        var day: UInt64 = 0
        /// On that day.
        var bytes: UInt64 = 0
        var statements: UInt64 = 0
        /// On all days.
        var total: UInt64 = 0

        func encoded() -> [UInt8] { [day, bytes, statements, total].flatMap(\.bigEndianBytes) }
    }

    /// Why commits of a replica are accepted.
    private enum Ground {
        /// It is a member, or was, or becomes one by the arriving commits: the quotas of members apply.
        case member
        /// It requests membership.
        case waiting
        case stranger
    }

    /// `now` is in milliseconds since 1970.
    init(_ quotas: ReceivingQuotas, _ tables: LogTables, now: Int64, enforces: Bool = true) {
        self.enforces = enforces
        self.quotas = quotas
        self.tables = tables
        day = UInt64(max(0, now)) / 86_400_000
    }

    /// Throws `EventLogError.quotaExceeded` if commits of a replica are not to be stored. Those of a revoked one are
    /// wanted if they may lead to a commit that a cut names.
    mutating func admit(
        _ commits: ArraySlice<VerifiedSegment.Commit>, of replica: ReplicaID, isNew: Bool, isWanted: Bool,
        _ verdicts: Verdicts, _ log: borrowing LogSnapshot
    ) throws {
        var sums = try received[replica] ?? log.received(from: replica)
        if sums.day != day { (sums.day, sums.bytes, sums.statements) = (day, 0, 0) }
        let bytes = UInt64(commits.reduce(0) { $0 + $1.size })
        sums.bytes += bytes
        sums.total += bytes
        guard enforces else {
            if verdicts.membership != nil { sums.statements += UInt64(commits.reduce(0) { $0 + $1.statementCount }) }
            received[replica] = sums
            return
        }
        if let membership = verdicts.membership {
            let count = commits.reduce(0) { $0 + $1.statementCount }
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
            // Every replica accepts granted replicas and their successors, or replicas would permanently differ in what
            // counts.
            let isGranted =
                try verdicts.membership.map { membership in
                    if membership.isRoot(replica) { return true }
                    guard let former = try predecessor(of: commits, membership, log) else { return false }
                    return membership.role(of: former) != nil
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

    /// The arriving commits may themselves make the request, or name the predecessor.
    private func ground(
        for commits: ArraySlice<VerifiedSegment.Commit>, of replica: ReplicaID, _ verdicts: Verdicts,
        _ membership: Membership, _ log: borrowing LogSnapshot
    ) throws -> Ground {
        if membership.members[replica] != nil || verdicts.waiting.contains(replica) { return .member }
        if membership.waits(replica) { return .waiting }
        if commits.first?.sequence.rawValue == 1 && membership.named.contains(replica) { return .member }
        let journal = try log.journal()
        if let former = try predecessor(of: commits, membership, log) {
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

    /// The role that decides how much a replica may say about members: its own or, if its first commit is among these,
    /// that of its predecessor, the higher of the two. For a revoked replica and its successors only what a cut names:
    /// their other statements do not count.
    private func role(
        stating commits: ArraySlice<VerifiedSegment.Commit>, of replica: ReplicaID, isWanted: Bool,
        _ membership: Membership, _ log: borrowing LogSnapshot
    ) throws -> MemberRole? {
        var roles: [MemberRole] = []
        // A log that is filled from its founder on, as that of a server, knows no members before these.
        if membership.founder == nil, let first = commits.first, first.sequence.rawValue == 1,
            let introduction = first.payload?.introduction, let founder = try introduction.founder(of: log.journal()),
            try founder == replica || isHandedOver(introduction, by: founder, log)
        {
            roles.append(.admin)
        }
        if let own = membership.members[replica], !own.isRevoked || isWanted { roles.append(own.role) }
        if let former = try predecessor(of: commits, membership, log), let member = membership.members[former],
            !member.isRevoked || member.cuts.contains(where: { $0.contains { $0.replica == replica } })
        {
            roles.append(member.role)
        }
        return roles.max()
    }

    /// The nearest known replica that handed over to the author of these commits, if the first is among them and shows
    /// it, and there is room for one more successor of that.
    private func predecessor(
        of commits: ArraySlice<VerifiedSegment.Commit>, _ membership: Membership, _ log: borrowing LogSnapshot
    ) throws -> ReplicaID? {
        guard let first = commits.first, first.sequence.rawValue == 1, let introduction = first.payload?.introduction
        else { return nil }
        let former = try handovers(introduction, log).map(\.former)
        guard
            let known = former.first(where: { membership.members[$0] != nil || membership.waits($0) }) ?? former.first,
            membership.hasRoom(after: known, isGranted: introduction.isGranted)
        else { return nil }
        return known
    }

    private func isHandedOver(
        _ introduction: Payload.Introduction, by founder: ReplicaID, _ log: borrowing LogSnapshot
    ) throws -> Bool { try handovers(introduction, log).contains { $0.former == founder } }

    /// The handovers that an introduction shows, nearest first, up to one that is not signed.
    private func handovers(
        _ introduction: Payload.Introduction, _ log: borrowing LogSnapshot
    ) throws -> [RoleHandover] {
        let journal = try log.journal()
        let links = try introduction.handovers { try log.publicKey(of: $0, in: journal) }
        return Array(links.prefix { $0.isSigned(in: journal, tables.membership.signatures) })
    }

    /// Each statement may change the members, or what is erased, which are then resolved again.
    private mutating func admit(
        _ count: Int, statementsOf replica: ReplicaID, as role: MemberRole?, today: UInt64,
        _ log: borrowing LogSnapshot
    ) throws {
        guard count > 0 else { return }
        if let role {
            // Every replica needs the statements of an admin, or of a former one before its cut: members depend on
            // them.
            guard role != .admin, today > ReceivingQuotas.statementsADay else { return }
            throw Self.exceeded(
                "it is no admin, and \(today) of its commits about members and KiB about erasing arrived today",
                replica,
                "\(ReceivingQuotas.statementsADay)", .statementsADay)
        }
        var held = try statements ?? log.statementCounts()
        held[replica, default: 0] += count
        statements = held
        guard held[replica, default: 0] <= ReceivingQuotas.strangerStatements else {
            throw Self.exceeded(
                "it is no member, and says \(held[replica, default: 0]) times something about members or erasing",
                replica,
                "\(ReceivingQuotas.strangerStatements)", .strangerStatements)
        }
    }

    /// Every resolution of the members reads all statements, also those that do not count.
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
    /// As how many commits with statements it counts: one about erasing as one for each KiB begun, because of those all bytes are read.
    fileprivate var statementCount: Int {
        header.isErasing ? (bytes.count + 1023) / 1024 : isMembership ? 1 : 0
    }

    fileprivate var payload: Payload? { bytes.withUnsafeBytes { try? (try? CommitView($0))?.payload?.copy() } }

    /// The requests for membership in it.
    fileprivate var requests: [MembershipRequest] {
        guard let payload, payload.isMembershipBounded else { return [] }
        return payload.membership.lazy.compactMap { bytes in
            let statement = try? bytes.withUnsafeBytes { try MembershipStatement($0) }
            if case .request(let request) = statement { return request }
            return nil
        }.prefix(MembershipRequest.mostJudged).map { $0 }
    }
}
