import ArgumentParser
import Events
import Foundation
import TripFormats
import TripStore

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what the store holds, and how its views are.",
        discussion: """
            Examples:
              tripstore status
              tripstore status --frontier
            """)

    @OptionGroup var options: StoreOptions

    @Flag(name: .long, help: "Add a digest of every view: equal on replicas that hold the same commits.")
    var digests = false

    @Flag(
        name: .long,
        help: """
            Print the frontier and nothing else, as a text that 'bundle write --holds' takes on another machine; with \
            --json in an object.
            """)
    var frontier = false

    func run() async throws {
        let store = try await options.openForReading()
        let heads = try await Self.heads(of: store)
        if frontier { return print(heads) }
        let status = try store.status(digests: digests)
        let (peers, names) = (try store.peers(), try store.namedReplicas())
        let needed = try status.neededUpdate.map { try store.words(on: $0) }
        Console.current.out(options.json ? json(status, peers, names, heads).text : text(status, needed, peers, names))
    }

    /// The heads up to the newest signatures; if nothing is signed yet, the newest commit.
    private static func heads(of store: TripStore) async throws -> Frontier {
        let signed = try await store.frontier()
        guard signed.isEmpty, let newest = try store.commit(at: store.read { $0.position }) else { return signed }
        let head = CommitID(replica: newest.replica, sequence: newest.sequence, hash: newest.hash)
        return Frontier(journal: store.journal, heads: [head])
    }

    private func print(_ heads: Frontier) {
        if heads.isEmpty { Console.current.warn("The store holds no commits, so its frontier is empty.") }
        let members: [(String, JSON)] = [("frontier", .sequences(heads)), ("frontierText", .string(heads.text))]
        Console.current.out(options.json ? JSON.object(members).text : heads.text)
    }

    private func json(_ status: StoreStatus, _ peers: Rows<PeerStatus>, _ names: [ReplicaID: String], _ heads: Frontier)
        -> JSON
    {
        let frontier = status.frontier.sorted { $0.key < $1.key }
        let rebuilt = status.rebuilt.sorted { $0.key < $1.key }.map { group, reason in
            JSON.object([("group", .string(group)), ("reason", .string(reason))])
        }
        let stranded = status.stranded.sorted { $0.key < $1.key }
        return .object([
            ("replica", .string("\(status.replica)")), ("journal", .string("\(status.journal)")),
            ("position", .integer(status.position.rawValue)),
            ("frontier", .object(frontier.map { ("\($0.key)", .integer($0.value.rawValue)) })),
            ("frontierText", .string(heads.text)), ("trips", .optional(status.trips)),
            ("views", .array(status.views.map(json))),
            ("neededUpdate", status.neededUpdate.map(JSON.neededUpdate) ?? .null),
            ("indexes", .array(status.indexes.map(json))),
            ("peers", .array(peers.map { .object(PeerText.members($0, name: names[$0.replica])) })),
            ("standing", .string(MemberText.word(status.standing))),
            ("faults", .array(faults(status).map(json))), ("rebuilt", .array(rebuilt)),
            ("unfinishedClone", .optional(status.unfinishedClone)),
            ("unreadableRecords", .optional(status.unreadableRecords)),
            ("foreignRecords", .optional(status.foreignRecords)),
            ("identityChange", status.identityChange.map(JSON.identityChange) ?? .null),
            ("forks", .array(status.forks.map(JSON.fork))),
            ("stranded", .object(stranded.map { ("\($0.key)", .integer($0.value)) })),
            ("missingBytes", .array(status.missing.commits.map { .string("\($0)") })),
            ("lostBytes", .array(status.missing.lost.map { .string("\($0)") })),
            (
                "subscriptions",
                .array(status.subscriptions.map(JSON.subscription))
            ),
        ])
    }

    private func faults(_ status: StoreStatus) -> [(group: String, fault: GroupFault)] {
        status.faults.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func nextAttempt(_ fault: GroupFault) -> String {
        guard let next = fault.nextAttempt else { return "" }
        return
            " They are built anew with the first write from \(next.formatted(.iso8601)) on, or by 'tripstore replay'."
            .onThisStore
    }

    private func json(_ group: String, _ fault: GroupFault) -> JSON {
        .object([
            ("group", .string(group)), ("view", .optional(fault.view)),
            ("position", fault.position.map { .integer($0.rawValue) } ?? .null),
            ("message", .string(fault.description)),
            (
                "nextAttempt",
                fault.nextAttempt.map { .integer(UInt64(max(0, $0.timeIntervalSince1970 * 1000))) } ?? .null
            ),
        ])
    }

    private func json(_ view: ViewStatus) -> JSON {
        .object([
            ("name", .string(view.name)), ("version", .integer(view.version)),
            ("position", .integer(view.position.rawValue)), ("rows", .integer(view.rows)),
            ("digest", .optional(view.digest.map { "\($0)" })),
        ])
    }

    private func json(_ index: IndexStatus) -> JSON {
        .object([
            ("name", .string(index.name)), ("state", .string(words(index.state))), ("rows", .optional(index.rows)),
        ])
    }

    private func words(_ state: IndexStatus.State) -> String {
        switch state {
        case .ready: "ready"
        case .building: "building"
        case .missing: "missing"
        }
    }

    private func text(
        _ status: StoreStatus, _ needed: String?, _ peers: Rows<PeerStatus>, _ names: [ReplicaID: String]
    ) -> String {
        let layout = Console.current.layout
        var lines: [String] = []
        func add(_ name: String, _ text: String) { lines += layout.lines(text, behind: name.padded(to: 10)) }
        add("replica", "\(status.replica)")
        add("journal", "\(status.journal)")
        add("position", "\(status.position)")
        add("trips", status.trips.map { "\($0)" } ?? "not known: the views are not built")
        for (replica, sequence) in status.frontier.sorted(by: { $0.key < $1.key }) {
            add("frontier", "\(replica) \(sequence)")
        }
        // A device on its own is the admin of its journal, and need not know about members.
        if status.standing != .member(.admin) { add("standing", MemberText.word(status.standing)) }
        if let line = MemberText.line(status.standing), status.standing != .open { add("", line) }
        let views = status.views.map { view in
            ["view", view.name, "version \(view.version)", "position \(view.position)", view.rows.counted("row")]
                + (view.digest.map { ["\($0)"] } ?? [])
        }
        lines += TextTable.lines(views, cutting: [1, 5], dropping: [2, 3])
        if let needed { add("update", needed) }
        lines += TextTable.lines(
            status.indexes.map { index in
                ["index", index.name, words(index.state)] + (index.rows.map { [$0.counted("row")] } ?? [])
            }, cutting: [1])
        lines += TextTable.lines(
            status.subscriptions.map { ["subscription", $0.name, "position \($0.position)"] }, cutting: [1])
        lines += PeerText.table(behind: 1).lines(
            peers.map { ["peer"] + PeerText.cells($0, ShortReplicas(names.keys), name: names[$0.replica]) })
        lines += peers.flatMap(PeerText.error)
        if let source = status.unfinishedClone {
            let from = source.isEmpty ? "" : " from \(source)"
            add(
                "clone",
                "was cut off, and what is here may be a part: 'tripstore clone' or 'sync'\(from) goes on with it"
                    .onThisStore)
        }
        if let file = status.unreadableRecords {
            add(
                "lost",
                "the medium lost commits that it had said to have stored; other replicas may hold them. What is left "
                    + "of their records is in \(file): remove it when you have taken note")
        }
        if let file = status.foreignRecords {
            add(
                "aside",
                "commits that followed on another state of the log are in \(file): put that log back with it as "
                    + "'wal', or remove it")
        }
        if let change = status.identityChange {
            add("identity", "\(change.previous) wrote here before: \(change.reason)")
        }
        for fork in status.forks {
            add("fork", "\(fork.replica) has \(fork.branches.count) different commits \(fork.sequence)")
        }
        for (replica, count) in status.stranded.sorted(by: { $0.key < $1.key }) {
            let their = count.agreeing("its key", "their key")
            add("stranded", "\(count.counted("commit")) of \(replica) cannot be handed on: \(their) is lost")
        }
        if !status.missing.isEmpty {
            let count = status.missing.commits.count
            add(
                "missing",
                "bytes of \(count.counted("commit")), which nobody erased: what \(count.agreeing("it says", "they say")) is not shown"
            )
        }
        for commit in status.missing.lost { add("lost", "the bytes of \(commit): no known peer has them") }
        for (group, reason) in status.rebuilt.sorted(by: { $0.key < $1.key }) {
            add("views", "\(group) rebuilt: \(reason)")
        }
        for (group, fault) in faults(status) { add("fault", "\(group): \(fault)\(nextAttempt(fault))") }
        return lines.joined(separator: "\n")
    }
}
