import EventLog
import Events
import LogExchange
import TripStoreTestSupport

/// The end: all have exchanged, and must agree.
extension MembersSimulation {
    /// All exchange until nothing changes any more.
    func meet() async throws {
        unreachable = 0
        hasBadNetwork = false
        for device in devices { device.clock.advance(by: 1_000) }
        // One that received nothing yet reaches the same.
        let newcomer = SimulatedMember(
            number: devices.count, root: root, seed: seed, journal: try devices[0].log().journal)
        newcomer.clock.now = devices[0].clock.now
        devices.append(newcomer)
        try await exchangeUntilEqual()
    }

    func exchangeUntilEqual() async throws {
        for _ in 0..<12 {
            let before = try devices.map { try $0.log().changeCount() }
            for one in devices.indices {
                for other in devices.indices where one < other || isOverMessages && one != other {
                    try await exchange(devices[one], devices[other])
                }
            }
            // Signatures of a device's own line may still be written: what the others received counts.
            if try devices.map({ try $0.log().changeCount() }) == before { return }
            if try await haveConverged() { return }
        }
        let listed = try agreeing().map { Set(try view($0).listed) }
        let common = listed.dropFirst().reduce(listed[0]) { $0.intersection($1) }
        let rest = listed.map { $0.subtracting(common).sorted().map { "\($0.replica) \($0.sequence)" } }
        throw SimulationFault("after twelve rounds there is still something to exchange: \(rest)")
    }

    /// The devices that must agree in the end: over messages those of members.
    func agreeing() throws -> [SimulatedMember] {
        guard isOverMessages, let membership = try devices.first?.log().membership() else { return devices }
        return try devices.filter { device in
            // A replica that has not written yet stands for its predecessor.
            let log = try device.log()
            let chain = [log.replica] + (try log.handovers().reversed().map(\.former))
            return chain.first { membership.members[$0] != nil }.map { membership.role(of: $0) != nil } ?? false
        }
    }

    private func haveConverged() async throws -> Bool {
        var listed: Set<[CommitID]> = []
        for device in try agreeing() {
            try await device.log().signHead()
            listed.insert(try view(device).listed)
        }
        return listed.count <= 1
    }

    private struct View: Equatable {
        var members: [Member] = []
        var requests: [ReplicaID] = []
        /// The commits of members that count.
        var counting: Set<Digest> = []
        var listed: [CommitID] = []
    }

    private func view(_ device: SimulatedMember) throws -> View {
        try device.log().read { log in
            guard let membership = try log.membership() else { throw SimulationFault("the journal is open") }
            var view = View()
            view.members = membership.members.values.sorted { $0.replica < $1.replica }
            view.requests = membership.requests.keys.sorted()
            view.listed = try log.listedHeads(of: log.journal()).filter {
                membership.members[$0.replica] != nil || membership.requests[$0.replica] != nil
            }
            try log.forEachCommit(after: .start) { commit in
                if commit.counts, membership.members[commit.header.replica] != nil { view.counting.insert(commit.hash) }
                return true
            }
            return view
        }
    }

    func check() async throws {
        // Replicas that no frontier lists need not be informed, and are all the same.
        let agreeing = try agreeing()
        guard let first = agreeing.first else { throw SimulationFault("there is no member") }
        let expected = try view(first)
        for device in agreeing.dropFirst() {
            let found = try view(device)
            guard found != expected else { continue }
            let what = [
                found.members == expected.members ? "" : "members",
                found.requests == expected.requests ? "" : "requests",
                found.counting == expected.counting ? "" : "what counts",
                found.listed == expected.listed ? "" : "heads",
            ].filter { !$0.isEmpty }
            let members = Set(found.members).symmetricDifference(expected.members).map { "\($0)" }
            throw SimulationFault(
                "devices \(first.number) and \(device.number) differ in \(what.joined(separator: ", ")): \(members.joined(separator: "; "))"
            )
        }
        try checkErasing(agreeing)
        let membership = try first.log().membership()
        for device in agreeing {
            for (commit, _, text) in device.appended {
                guard let member = membership?.members[commit.replica], !member.isRevoked, member.role >= .write,
                    membership?.voids[commit] == nil
                else { continue }
                guard expected.counting.contains(commit.hash) else {
                    throw SimulationFault("'\(text)' of \(commit.replica), a member, does not count")
                }
            }
        }
        // Servers grant as well, without reporting it.
        if isOverMessages { outcome.admissions += expected.members.count { $0.invitation != nil } }
        outcome.members += expected.members.count { !$0.isRevoked }
        outcome.revoked += expected.members.count { $0.isRevoked }
        outcome.waiting += expected.requests.count
        outcome.voids += membership?.voids.count ?? 0
        for device in devices {
            let log = try device.log()
            let held = try log.read { Int(try $0.lastPosition().rawValue) }
            outcome.commits += held
            outcome.discounted += max(0, held - expected.counting.count)
            try await device.close()
            let report = try LogVerifier.verify(EnvironmentRows(at: device.folder + "/log"))
            if let finding = report.findings.first { throw SimulationFault("device \(device.number): \(finding)") }
        }
    }
}
