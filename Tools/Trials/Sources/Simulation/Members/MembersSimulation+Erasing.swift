@testable import EventLog
@testable import Events
@testable import TripStoreTestSupport

/// Statements about erasing, and what must come of them.
extension MembersSimulation {
    private static let day: Int64 = 86_400_000

    /// Erases, takes back or sets a period, if the replica may, or lets days pass everywhere.
    func stateErasing(_ one: SimulatedMember) async throws {
        switch number(0...9) {
        case 0...3:
            // Of one event each: the other leaf is all the rest.
            let written = number(0...1) == 0 ? one.appended : devices.flatMap(\.appended)
            guard !written.isEmpty else { return }
            let (commit, entity, _) = written[number(0...written.count - 1)]
            guard random.once(in: 2) else {
                trace.append("\(one.number) erases of \(commit.replica) \(commit.sequence)")
                outcome.erasures += try await one.log().erase([commit: leaves()]).count
                return
            }
            let other = devices[number(0...devices.count - 1)]
            trace.append(
                "\(one.number) erases the entity of \(commit.replica) \(commit.sequence), \(other.number) edits it")
            outcome.erasures += try await one.log().erase([commit: .all], naming: [ErasedName(entity)]).count
            swept.append(entity)
            try await other.edit(entity, "late by \(other.number)")
        case 4...6:
            var erased = try one.log().statedErasures()
            // Mostly its own, which a replica may take back whatever its role.
            let replica = try one.log().replica
            let own = erased.filter { $0.eraser == replica }
            if !own.isEmpty, !random.once(in: 3) { erased = own }
            guard !erased.isEmpty else { return }
            let commit = erased[number(0...erased.count - 1)].commit
            trace.append("\(one.number) takes back of \(commit.replica) \(commit.sequence)")
            let stated = try await one.log().takeBack([commit: random.once(in: 4) ? leaves() : .all])
            outcome.takenBack += stated.count
        case 7:
            let days = [0, 7, 90, 365][number(0...3)]
            trace.append("\(one.number) sets \(days) days")
            try await one.log().setErasingPeriod(days: days)
        default: pass(days: number(1...15))
        }
    }

    private func leaves() -> ErasedLeaves { random.once(in: 2) ? .all : .some(LeafSet(events: [0])) }

    private func pass(days: Int) {
        trace.append("\(days) days pass")
        for device in devices { device.clock.advance(by: Int64(days) * Self.day) }
    }

    /// Some replicas take back what they erased, for which others were stated late; all exchange.
    func takeBackCauses() async throws {
        for device in devices {
            let log = try device.log()
            let stated = try log.statedErasures()
            let causes = Set(stated.flatMap(\.causes))
            for erasure in stated where erasure.eraser == log.replica && causes.contains(erasure.statement) {
                guard erasure.stands, random.once(in: 2) else { continue }
                trace.append("\(device.number) takes back what is erased of \(erasure.commit)")
                do {
                    outcome.takenBack += try await log.takeBack([erasure.commit: erasure.leaves]).count
                } catch let error as EventLogError where [.noEffect, .notAMember].contains(error.code) {
                    // It was taken back with another erasure of the same commit, or this replica may not write any more.
                    continue
                }
            }
        }
        try await exchangeUntilEqual()
    }

    /// Lets everything that is erased go, and all exchange twice: the bytes of what was taken back come from any that
    /// has them.
    func letErasuresBecomeDue() async throws {
        pass(days: 400)
        for device in devices { _ = try await device.log().removeDue() }
        for _ in 0..<2 {
            for one in devices.indices {
                for other in devices.indices where one < other || isOverMessages && one != other {
                    try await exchange(devices[one], devices[other])
                }
            }
        }
    }

    private struct Erased: Equatable {
        var stated: [StatedErasure]
        var hidden: [ErasureState] = []
        var holes: [Hole] = []
        /// Whether the replica is no member and has written: what it states counts for itself alone.
        var isAlone = false

        /// Of the commits of members that count.
        init(_ log: Log) throws {
            stated = try log.statedErasures()
            try log.read { log in
                let (members, waiting) = (try log.membership()?.members ?? [:], try log.verdicts().waiting)
                var counting: Set<Digest> = []
                try log.forEachCommit(after: .start) { commit in
                    if waiting.contains(commit.header.replica) { isAlone = true }
                    if commit.counts, members[commit.header.replica] != nil { counting.insert(commit.hash) }
                    return true
                }
                hidden = try log.erasureStates().filter { counting.contains($0.commit) }
                holes = try log.searchedHoles().filter { counting.contains($0.commit.hash) }
            }
        }
    }

    func checkErasing(_ agreeing: [SimulatedMember]) throws {
        var common: (device: SimulatedMember, erased: Erased)?
        for device in agreeing {
            let found = try Erased(device.log())
            try checkMissing(device, found)
            guard !found.isAlone else { continue }
            guard let (first, expected) = common else {
                common = (device, found)
                continue
            }
            guard found == expected else {
                let what = [
                    found.stated == expected.stated ? "" : "what is stated as erased",
                    found.hidden == expected.hidden ? "" : "what is hidden",
                    found.holes == expected.holes ? "" : "holes",
                ].filter { !$0.isEmpty }
                throw SimulationFault(
                    "devices \(first.number) and \(device.number) differ in \(what.joined(separator: ", "))")
            }
        }
        outcome.holes += common?.erased.holes.count ?? 0
        if let (device, erased) = common { try checkLate(device, erased) }
    }

    /// What was erased late is hidden with what it was late for, and shown without.
    private func checkLate(_ device: SimulatedMember, _ erased: Erased) throws {
        let standing = erased.stated.filter(\.stands)
        let causes = Set(standing.filter(\.causes.isEmpty).map(\.statement))
        for erasure in erased.stated where !erasure.causes.isEmpty {
            let isCaused = erasure.causes.contains { causes.contains($0) }
            outcome.late += 1
            if !isCaused { outcome.fallen += 1 }
            let isHidden = erased.hidden.contains { $0.commit == erasure.commit.hash }
            let isNamed = standing.contains { $0.commit == erasure.commit }
            guard isCaused || !erasure.stands && (isNamed || !isHidden) else {
                throw SimulationFault(
                    "device \(device.number) hides of \(erasure.commit) what was late for nothing that stands")
            }
        }
    }

    /// Nothing is pending, and bytes are missing only if a statement names them.
    private func checkMissing(_ device: SimulatedMember, _ erased: Erased) throws {
        try device.log().read { log in
            var named: [CommitID: LeafSelection] = [:]
            try log.forEachCommit(after: .start) { commit in
                guard let held = try log.storedCommit(at: commit.position) else { return true }
                for fact in ErasingFact.all(in: held.header, held.hash, held.view.payload, arrival: 0) {
                    guard case .erasure(let erasure, _, _) = fact.statement else { continue }
                    named[erasure.commit] = (named[erasure.commit] ?? .none).union(LeafSelection(erasure.leaves))
                }
                return true
            }
            try log.forEachCommit(after: .start) { commit in
                let missing = LeafSelection(try log.storedCommit(at: commit.position)?.view.erased)
                // Of a statement beyond a cut only the explanation is held.
                let explained = LeafSelection(CommitErasures(held: try log.erasures(of: commit.hash)).leaves)
                guard missing.isSubset(of: (named[commit.name] ?? .none).union(explained)) else {
                    throw SimulationFault("device \(device.number) lacks bytes of \(commit.name) that nobody erased")
                }
                return true
            }
        }
        for erasure in erased.stated {
            guard case .pending = erasure.state else { continue }
            throw SimulationFault(
                "device \(device.number) still has what \(erasure.eraser) erased of \(erasure.commit)")
        }
    }
}

extension StatedErasure {
    fileprivate var stands: Bool { if case .takenBack = state { false } else { true } }
}
