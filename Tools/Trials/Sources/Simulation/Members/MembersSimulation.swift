import Foundation
import Logging

@testable import EventLog
@testable import Events
@testable import LMDB
@testable import LogExchange
@testable import TripStoreTestSupport

/// Replicas of one journal that grant, revoke, invite, join, void, write, erase and take back at random, alone and in
/// parts of a network, while days pass, and are copied with and without noticing. Some make statements that the library would not let them make, and strangers
/// come and go.
///
/// At the end all exchange until nothing changes any more, some take back erasures for which others were stated late, all
/// exchange, everything that is erased becomes due, and all exchange once more. Then all must have the same members, the same counting commits and the same bytes of these, nothing of a
/// remaining member may be lost, and every log must verify.
public final class MembersSimulation {
    private static let mostDevices = 9
    let root: String
    let seed: UInt64
    /// Whether devices reach each other over messages alone, and serve only members and invited replicas.
    let isOverMessages: Bool
    var random: SeededRandom
    var devices: [SimulatedMember] = []
    private var codes: [InvitationCode] = []
    /// Entities that were erased as wholes.
    var swept: [EntityReference] = []
    var unreachable: UInt32 = 0
    var hasBadNetwork = true
    var outcome = Outcome()
    private let logger: Logger
    var trace: [String] = []

    private init(seed: UInt64, overMessages: Bool, in folder: String) {
        self.seed = seed
        isOverMessages = overMessages
        root = "\(folder)/members-\(seed)-\(UUID().uuidString.prefix(8))"
        random = SeededRandom(seed: seed ^ 0x3E3B_E125)
        var logger = Logger(label: "simulation")
        logger.logLevel = .critical
        self.logger = logger
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Runs a seed: among logs of one process, or over messages, where devices that are no members are refused and need
    /// not agree in the end. Throws `SimulationFault` with what was done.
    public static func run(
        seed: UInt64, overMessages: Bool = false, in folder: String = Simulation.defaultFolder
    ) async throws -> Outcome {
        let simulation = MembersSimulation(seed: seed, overMessages: overMessages, in: folder)
        do {
            try await simulation.play()
            try await simulation.meet()
            try await simulation.takeBackCauses()
            try await simulation.letErasuresBecomeDue()
            try await simulation.check()
        } catch {
            throw SimulationFault("seed \(seed): \(error)\n  " + simulation.trace.joined(separator: "\n  "))
        }
        return simulation.outcome
    }

    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private func device() -> SimulatedMember { devices[number(0...devices.count - 1)] }

    /// Mostly an admin.
    private func admin() throws -> SimulatedMember {
        let admins = try devices.filter { device in
            let log = try device.log()
            return try log.membership()?.role(of: log.replica) == .admin
        }
        return admins.isEmpty || random.once(in: 6) ? device() : admins[number(0...admins.count - 1)]
    }

    // MARK: Events

    private func play() async throws {
        let founder = SimulatedMember(number: 0, root: root, seed: seed, journal: nil)
        devices = [founder]
        try await founder.append("founded", &random)
        let journal = try founder.log().journal
        for number in 1...number(2...4) {
            devices.append(SimulatedMember(number: number, root: root, seed: seed, journal: journal))
            let replica = try devices[number].log().replica
            if random.once(in: 3) { continue }
            try await founder.log().grant(random.once(in: 2) ? .admin : .write, to: replica)
            try await exchange(devices[number], founder)
        }
        for device in devices { trace.append("\(device.number) is \(try device.log().replica)") }
        for step in 0..<number(15...35) {
            do { try await take(step) } catch let error as EventLogError
                where [.notAMember, .noEffect, .otherJournal, .notErasable].contains(error.code)
            {
                trace.append("  refused: \(error.code.rawValue)")
            }
        }
    }

    private func take(_ step: Int) async throws {
        let (one, other) = (device(), device())
        let role = MemberRole.allCases[number(0...3)]
        for device in devices { device.clock.advance(by: Int64(number(0...3))) }
        switch number(0...139) {
        case 0..<25:
            trace.append("\(one.number) writes")
            if let entity = swept.last, random.once(in: 3) {
                try await one.edit(entity, "\(step) of \(one.number)")
            } else {
                try await one.append("\(step) of \(one.number)", &random)
            }
        case 25..<55: try await exchange(one, other)
        case 55..<62:
            let one = try admin()
            trace.append("\(one.number) grants \(role) to \(other.number)")
            try await one.log().grant(role, to: other.log().replica)
        case 62..<67:
            let one = try admin()
            trace.append("\(one.number) revokes \(other.number)")
            try await one.log().revoke(other.log().replica)
        case 67..<71: try await sayWhatIsNotLeft(one, other)
        case 71..<77:
            let one = try admin()
            trace.append("\(one.number) invites")
            codes.append(try await one.log().invite(role, uses: number(1...2)))
        case 77..<83:
            guard !codes.isEmpty else { return }
            trace.append("\(one.number) joins")
            try await one.log().join(codes[number(0...codes.count - 1)])
        case 83..<86:
            guard !one.appended.isEmpty else { return }
            let other = try random.once(in: 2) ? admin() : one
            trace.append("\(other.number) voids a commit of \(one.number)")
            let commit = one.appended[number(0...one.appended.count - 1)].commit
            try await other.log().void(commit, isVoid: !random.once(in: 4))
        case 86..<90: try await copy(one)
        case 90..<93:
            trace.append("\(one.number) is opened anew")
            try await one.close()
        case 93..<96:
            unreachable = random.once(in: 2) ? 0 : UInt32(number(0...511))
            trace.append("the network is parted by \(unreachable)")
        case 96..<100: try await beStrange(to: one)
        default: try await stateErasing(one)
        }
    }

    /// Statements that the library refuses to make, by a non-admin, or about a higher admin.
    private func sayWhatIsNotLeft(_ one: SimulatedMember, _ other: SimulatedMember) async throws {
        let (log, replica) = (try one.log(), try other.log().replica)
        let held = try log.read { log in
            try log.newestCommits(of: log.journal()).filter { $0.replica == replica }
        }
        let cut = Set(held.prefix(number(0...1)))
        let statement: MembershipStatement =
            switch number(0...3) {
            case 0: .grant(replica, .admin, invitation: nil)
            case 1:
                .void(held.first ?? CommitID(replica: replica, sequence: SequenceNumber(1), hash: .zero), isVoid: true)
            default: .revocation(replica, cut: cut)
            }
        trace.append("\(one.number) says of \(other.number) what it may not: \(statement)")
        _ = try await log.append(Payload(membership: [statement.encoded()]))
    }

    private func copy(_ one: SimulatedMember) async throws {
        guard devices.count < Self.mostDevices else { return }
        let isSeen = random.once(in: 2)
        trace.append("\(one.number) is copied as \(devices.count), \(isSeen ? "seen" : "unseen")")
        // An unopened store has nothing to copy.
        _ = try one.log()
        let copy = try await one.copied(as: devices.count, root: root, seed: seed, isSeen: isSeen)
        outcome.copies += 1
        devices.append(copy)
        try await copy.append("copy of \(one.number)", &random)
    }

    /// A replica without any right offers a line.
    private func beStrange(to one: SimulatedMember) async throws {
        outcome.strangers += 1
        trace.append("a stranger offers something to \(one.number)")
        let stranger = SimulatedMember(
            number: 100 + outcome.strangers, root: root, seed: seed, journal: try one.log().journal)
        stranger.clock.now = one.clock.now
        try await stranger.append("strange", &random)
        _ = try await stranger.log().append(
            Payload(membership: [MembershipStatement.grant(stranger.log().replica, .admin, invitation: nil).encoded()]))
        _ = try await ExchangeSession(stranger.log(), with: LogPeer(one.log()), logger: logger).run()
        try await stranger.close()
        try? FileManager.default.removeItem(atPath: stranger.folder)
    }

    func exchange(_ one: SimulatedMember, _ other: SimulatedMember) async throws {
        guard one !== other, (unreachable >> one.number ^ unreachable >> other.number) & 1 == 0 else { return }
        trace.append("\(one.number) exchanges with \(other.number)")
        outcome.exchanges += 1
        guard isOverMessages else { return try await exchange(one, with: LogPeer(other.log())) }
        // An unknown replica may be called from there.
        if try await !call(other, from: one) { _ = try await call(one, from: other) }
    }

    /// An exchange over messages. Returns whether the other served the one.
    private func call(_ other: SimulatedMember, from one: SimulatedMember) async throws -> Bool {
        let server = try MessageServer(other.log(), authorizer: MemberAuthorizer(other.log()), logger: logger)
        let isBad = hasBadNetwork && random.once(in: 3)
        let channel = SimulatedChannel(server, faults: isBad ? 200 : 0, seed: random.next())
        do { try await exchange(one, with: MessagePeer(channel)) } catch let error as ExchangeError {
            if error.refusal == ExchangeError.Code.notAuthorized.rawValue {
                trace.append("  refused")
                outcome.refusals += 1
                return false
            } else if isBad {
                trace.append("  cut off: \(error.code.rawValue)")
                outcome.cuts += 1
            } else {
                throw error
            }
        }
        return true
    }

    private func exchange(_ one: SimulatedMember, with peer: any ExchangePeer) async throws {
        let report = try await ExchangeSession(one.log(), with: peer, logger: logger).run()
        outcome.admissions += report.admitted.count
        outcome.forks += report.forks.count
    }
}
