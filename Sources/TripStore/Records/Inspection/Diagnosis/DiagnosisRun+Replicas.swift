import EventLog
import Events
import Foundation
import ProjectionEngine

/// Replicas, their clocks and members, and the views.
extension DiagnosisRun {
    /// How far a clock may be off, in milliseconds.
    private static let toleratedSkew: Int64 = 5 * 60_000
    /// For how long commits may be unsigned, in milliseconds: an app that runs signs when it is closed or exchanges.
    private static let unsignedTime: Int64 = 86_400_000

    mutating func checkReplicas(of store: TripStore) {
        check("the replicas") { run in
            let (heads, forks) = try store.readLog { (try $0.heads(), try $0.forks(in: store.journal)) }
            for fork in forks {
                run.add(
                    .fork,
                    "\(fork.replica) wrote \(fork.branches.count) different commits \(fork.sequence): a copy of its store was written to.",
                    replica: fork.replica)
            }
            var stranded: [ReplicaID: Int] = [:]
            for (line, head) in heads where line.journal == store.journal && head.signed < head.sequence {
                let count = Int(clamping: head.sequence.rawValue - head.signed.rawValue)
                if line.replica != store.replica {
                    stranded[line.replica, default: 0] += count
                } else if run.now - head.timestamp.milliseconds64 > Self.unsignedTime {
                    run.add(
                        .unsignedTail,
                        "\(count.counted("commit")) of this store, the newest, \(count.agreeing("is", "are")) not signed since "
                            + "\(Self.time(head.timestamp)): if its key were lost, nobody else could have "
                            + "\(count.agreeing("it", "them")).", replica: line.replica)
                }
            }
            for (replica, count) in stranded.sorted(by: { $0.key < $1.key }) {
                run.add(
                    .strandedCommits,
                    "\(count.counted("commit")) of \(replica) cannot be handed on: the key to sign them is lost.",
                    replica: replica)
            }
            let missing = try store.missingBytes()
            for commit in missing.commits {
                let isLost = missing.lost.contains(commit)
                run.add(
                    isLost ? .lostBytes : .missingBytes,
                    "Bytes of commit \(commit.sequence) of \(commit.replica) are missing that nobody erased"
                        + (isLost ? ", and no known peer has them." : "."), replica: commit.replica)
            }
            try run.checkClocks(heads, of: store)
            try run.checkIdentities(of: store)
        }
        // A copy of a log in a temporary folder has no key.
        if store.scratch == nil {
            check("the key") { run in
                let path = StoreLayout(store.folder).key
                guard try !Log.replicas(ofKeysAt: path).contains(store.replica) else { return }
                run.add(
                    .lostKey, "\(path) does not hold the key of this store's replica \(store.replica).",
                    replica: store.replica)
            }
        }
        if let file = StoreLayout(store.folder).unreadableRecords(store.log.unreadableRecords) {
            add(
                .lostRecords, "The medium lost commits that it had stored. What is left of their records is in \(file)."
            )
        }
        if let file = store.log.foreignRecords {
            add(.foreignRecords, "Commits that followed on another state of the log are in \(file).")
        }
    }

    private mutating func checkIdentities(of store: TripStore) throws {
        let changes = try store.identityChanges()
        if changes.count >= StoreDiagnosis.manyIdentities {
            add(
                .manyIdentities, "\(changes.count.counted("other replica")) wrote here before \(store.replica).",
                replica: store.replica)
        }
        var successor = store.replica
        for change in changes {
            let reason = change.reason.isEmpty ? "" : ": \(change.reason)"
            add(
                .identityChange, "\(change.previous) wrote here before \(successor)\(reason).", replica: change.previous
            )
            successor = change.previous
        }
    }

    private mutating func checkClocks(_ heads: [LineID: LineHead], of store: TripStore) throws {
        for (line, head) in heads.sorted(by: { $0.value.position < $1.value.position }) {
            // What does not count, as what was replaced, wins over nothing.
            let commit = try store.readLog { try $0.commit(at: head.position).map { ($0.header, $0.counts) } }
            guard let (header, counts) = commit, counts else { continue }
            let ahead = head.timestamp.milliseconds64 - now
            if ahead > Self.toleratedSkew {
                add(
                    .clockAhead,
                    "The newest commit of \(line.replica) is of \(Self.time(head.timestamp)), \(ahead / 60_000) minutes from now.",
                    replica: line.replica)
            }
            guard let wallClock = header.wallClock else { continue }
            let (behind, overflow) = header.timestamp.milliseconds64.subtractingReportingOverflow(wallClock)
            guard !overflow, behind > Self.toleratedSkew else { continue }
            add(
                .clockBehind,
                "The clock of \(line.replica) was \(behind / 60_000) minutes behind the commits that it held when it wrote its newest.",
                replica: line.replica)
        }
    }

    private static func time(_ timestamp: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(timestamp.milliseconds) / 1000).formatted(.iso8601)
    }

    mutating func checkMembers(of store: TripStore) {
        check("the members") { run in
            switch try store.standing() {
            case .open, .member: break
            case .waiting(let hasAsked):
                let isOutgrown = try store.isOutgrown()
                let words =
                    isOutgrown
                    ? "is no member, for too many ids succeed one"
                    : hasAsked ? "has asked to be a member and waits" : "is no member"
                run.add(
                    .waitingForMembership, "This store's replica \(words).", replica: store.replica,
                    remedy: isOutgrown
                        ? "Exchange with the store of another admin, which grants it. Where there is none, adopt what is here into a new store."
                        : nil)
            case .revoked(let by):
                run.add(
                    .revokedMembership, "\(by) revoked the membership of this store's replica: it may not write.",
                    replica: store.replica)
            }
            for request in try store.membershipRequests() where request.replica != store.replica {
                let name = request.name.isEmpty ? "" : " (\(request.name))"
                run.add(.membershipRequest, "\(request.replica)\(name) asks to be a member.", replica: request.replica)
            }
        }
    }

    /// Returns whether views can be read.
    mutating func checkViews(of store: TripStore) -> Bool {
        check("the views") { run in
            for (group, fault) in try store.faults().sorted(by: { $0.key < $1.key }) {
                run.add(.faultedViews, "The views '\(group)' do not follow the log: \(fault)")
            }
        }
        do {
            let (wanted, progress) = (store.views.wantedAttachments, store.views.attachingProgress)
            let (position, needed, indexes) = try store.read { views in
                (
                    views.position, try views.neededUpdate,
                    try views.indexes(wanted: wanted, building: progress, countingRows: false)
                )
            }
            if let needed { add(.neededUpdate, try store.words(on: needed)) }
            let newest = try store.readLog { try $0.lastPosition() }
            if position < newest {
                add(
                    .viewsBehind,
                    "The views show the log up to position \(position) of \(newest): the process that wrote was stopped."
                )
            }
            for index in indexes where index.state == .missing {
                add(.missingIndex, "The index '\(index.name)' is not there.")
            }
            return true
        } catch let error as TripStoreError where [.beingBuilt, .notBuilt, .closed].contains(error.code) {
            add(.viewsNotBuilt, "There are no views that could be read, so entities were not checked: \(error)")
        } catch {
            fail("the views", error)
        }
        return false
    }
}

extension Timestamp {
    fileprivate var milliseconds64: Int64 { Int64(clamping: milliseconds) }
}
