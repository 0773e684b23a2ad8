import ArgumentParser
import Foundation
import TripStore

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what the store holds and how far its views have come.")

    @OptionGroup var options: StoreOptions

    @Flag(name: .long, help: "Add a digest of every view: equal on replicas that hold the same commits.")
    var digests = false

    @Flag(
        name: .long,
        help: """
            Print the frontier and nothing else, as a text that 'bundle write --since' takes on another machine; with \
            --json in an object.
            """)
    var frontier = false

    func run() async throws {
        let store = try await options.openForReading()
        let heads = try await Self.heads(of: store)
        if frontier { return print(heads) }
        let status = try store.status(digests: digests)
        let peers = try store.peers()
        Console.current.out(options.json ? json(status, peers, heads).text : text(status, peers))
    }

    /// What the store holds up to its newest signatures; where nothing is signed yet, its newest commit.
    private static func heads(of store: TripStore) async throws -> Frontier {
        let signed = try await store.frontier()
        guard signed.isEmpty, let newest = try store.commit(at: store.read { $0.position }) else { return signed }
        let head = CommitID(replica: newest.replica, sequence: newest.sequence, hash: newest.hash)
        return Frontier(journal: store.journal, heads: [head])
    }

    private func print(_ heads: Frontier) {
        if heads.isEmpty { Console.current.error("Note: the store holds no commits, so its frontier is empty.") }
        let members: [(String, JSON)] = [("frontier", .sequences(heads)), ("frontierText", .string(heads.text))]
        Console.current.out(options.json ? JSON.object(members).text : heads.text)
    }

    private func json(_ status: StoreStatus, _ peers: [PeerStatus], _ heads: Frontier) -> JSON {
        let frontier = status.frontier.sorted { $0.key < $1.key }
        var members: [(String, JSON)] = [
            ("replica", .string("\(status.replica)")), ("journal", .string("\(status.journal)")),
            ("position", .integer(status.position.rawValue)),
            ("frontier", .object(frontier.map { ("\($0.key)", .integer($0.value.rawValue)) })),
            ("frontierText", .string(heads.text)), ("trips", status.trips.map { .integer($0) } ?? .null),
            ("views", .array(status.views.map(json))),
            ("peers", .array(peers.map { .object(PeerText.members($0)) })),
            ("standing", .string(MemberText.word(status.standing))),
        ]
        if !status.faults.isEmpty { members.append(("faults", .array(faults(status).map(json)))) }
        if !status.rebuilt.isEmpty {
            let rebuilt = status.rebuilt.sorted { $0.key < $1.key }.map { group, reason in
                JSON.object([("group", .string(group)), ("reason", .string(reason))])
            }
            members.append(("rebuilt", .array(rebuilt)))
        }
        if let source = status.unfinishedClone { members.append(("unfinishedClone", .string(source))) }
        if let file = status.unreadableRecords { members.append(("unreadableRecords", .string(file))) }
        if let file = status.foreignRecords { members.append(("foreignRecords", .string(file))) }
        if let change = status.identityChange {
            members.append(("identityChange", .identityChange(change)))
        }
        if !status.forks.isEmpty { members.append(("forks", .array(status.forks.map(JSON.fork)))) }
        if !status.stranded.isEmpty {
            let stranded = status.stranded.sorted { $0.key < $1.key }
            members.append(("stranded", .object(stranded.map { ("\($0.key)", .integer($0.value)) })))
        }
        if !status.subscriptions.isEmpty {
            let subscriptions = status.subscriptions.sorted { $0.key < $1.key }.map { name, position in
                JSON.object([("name", .string(name)), ("position", .integer(position.rawValue))])
            }
            members.append(("subscriptions", .array(subscriptions)))
        }
        return .object(members)
    }

    private func faults(_ status: StoreStatus) -> [(group: String, fault: GroupFault)] {
        status.faults.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func nextAttempt(_ fault: GroupFault) -> String {
        guard let next = fault.nextAttempt else { return "" }
        return
            " They are built anew with the first write from \(next.formatted(.iso8601)) on, or by 'tripstore replay'."
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

    private func json(_ view: ProjectionGroup.ViewStatus) -> JSON {
        var members: [(String, JSON)] = [
            ("name", .string(view.name)), ("version", .integer(view.version)),
            ("position", .integer(view.position.rawValue)), ("rows", .integer(view.rows)),
        ]
        if let digest = view.digest { members.append(("digest", .string("\(digest)"))) }
        return .object(members)
    }

    private func text(_ status: StoreStatus, _ peers: [PeerStatus]) -> String {
        var lines = [
            "replica   \(status.replica)", "journal   \(status.journal)", "position  \(status.position)",
            "trips     \(status.trips.map { "\($0)" } ?? "not known: the views are not built")",
        ]
        for (replica, sequence) in status.frontier.sorted(by: { $0.key < $1.key }) {
            lines.append("frontier  \(replica) \(sequence)")
        }
        // A device on its own is the admin of its journal, and need not know that there are members.
        if status.standing != .member(.admin) { lines.append("standing  \(MemberText.word(status.standing))") }
        if let line = MemberText.line(status.standing), status.standing != .open { lines.append("          \(line)") }
        let views = status.views.map { view in
            ["view", view.name, "version \(view.version)", "position \(view.position)", "\(view.rows) rows"]
                + (view.digest.map { ["\($0)"] } ?? [])
        }
        lines += TextTable.lines(views)
        let subscriptions = status.subscriptions.sorted { $0.key < $1.key }.map { name, position in
            ["subscription", name, "position \(position)"]
        }
        lines += TextTable.lines(subscriptions)
        lines += TextTable.lines(peers.map { ["peer"] + PeerText.cells($0) })
        lines += peers.compactMap(PeerText.error)
        if let source = status.unfinishedClone {
            let from = source.isEmpty ? "" : " from \(source)"
            lines.append(
                "clone     was cut off, and what is here may be a part: 'tripstore clone' or 'sync'\(from) goes on with it"
                    .visible)
        }
        if let file = status.unreadableRecords {
            lines.append(
                "lost      the medium lost commits that it had said to have stored; other replicas may hold them. What is left "
                    + "of their records is in \(file): remove it when you have taken note".visible)
        }
        if let file = status.foreignRecords {
            lines.append(
                "aside     commits that followed on another state of the log are in \(file): put that log back with it as "
                    + "'wal', or remove it".visible)
        }
        if let change = status.identityChange {
            lines.append("identity  \(change.previous) wrote here before: \(change.reason)".visible)
        }
        for fork in status.forks {
            lines.append("fork      \(fork.replica) has \(fork.branches.count) different commits \(fork.sequence)")
        }
        for (replica, count) in status.stranded.sorted(by: { $0.key < $1.key }) {
            lines.append("stranded  \(count) commits of \(replica) cannot be handed on: their key is lost")
        }
        for (group, reason) in status.rebuilt.sorted(by: { $0.key < $1.key }) {
            lines.append("views     \(group) rebuilt: \(reason)".visible)
        }
        for (group, fault) in faults(status) {
            lines.append("fault     \(group): \(fault)\(nextAttempt(fault))".visible)
        }
        return lines.joined(separator: "\n")
    }
}

/// Columns of text.
enum TextTable {
    /// A line a row, each column as wide as its widest cell.
    static func lines(_ rows: [[String]]) -> [String] {
        var widths: [Int] = []
        let rows = rows.map { $0.map(\.visible) }
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
            }.joined(separator: "  ")
        }
    }
}
