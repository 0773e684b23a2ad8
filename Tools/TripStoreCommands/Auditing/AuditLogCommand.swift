import ArgumentParser
import Foundation
import TripStore

struct AuditLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "List the events of the log, the newest first.",
        discussion: """
            A line has the commit's position, the time in UTC at which it was written, here or before it was brought here, author and replica, and what an event changed, from what to what, in the \
            order of the merge. Commits that undo others, or do again what was undone, are marked as such. Of a commit of more than \(AuditText.mostEvents) events \
            the sum is shown, and on a terminal of an event at most \(CommitList.mostLines) lines, unless all is asked for by --full. With --json a line is a \
            commit, with all of its events.

            Examples:
              tripstore audit log --limit 10
              tripstore audit log --under Lisbon --since 2027-05-01
              tripstore audit log --since 120 --reverse --all
              tripstore audit log --follow
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var limits: LimitOptions

    @Option(name: .long, help: "Only commits that touch this entity. \(EntityArgument.help)")
    var entity: EntityArgument?

    @OptionGroup var scope: UnderOption

    @Option(name: .long, help: "Only commits of this replica: its id, the first digits of that, or its device's name.")
    var replica: ReplicaArgument?

    @Option(name: .long, help: "Only commits in this name.")
    var author: String?

    @Option(name: .long, help: "Only commits that touch an entity of this kind.")
    var kind: EntityKind?

    @Option(name: .long, help: "Only commits with this text in a name or a value, in capitals or not.")
    var text: String?

    @Option(name: .long, help: "\(SinceArgument.help)", transform: SinceArgument.init(parsing:))
    var since: SinceArgument?

    @Option(
        name: .long, help: "Only what came or was written up to then. \(HorizonArgument.help)",
        transform: HorizonArgument.init(parsing:))
    var until: HorizonArgument?

    @Option(name: .long, help: "Go on after the commit at this position, which a page ended with.")
    var after: Position?

    @Flag(name: .long, help: "From the oldest to the newest.")
    var reverse = false

    @Flag(name: .long, help: "Show every event, and all of it.")
    var full = false

    @Flag(name: .long, help: "List commits as they come from now on, until interrupted.")
    var follow = false

    func validate() throws {
        if follow && (reverse || since != nil || until != nil || after != nil) {
            throw ArgumentParser.ValidationError(
                "--follow lists what comes from now on: leave out --reverse, --since, --until and --after.")
        }
    }

    func run() async throws {
        let store = try await options.openForReading()
        let range = LogRange(since: since, until: until)
        let root = try scope.root(in: store)
        var filter = AuditFilter(
            entity: try entity.map {
                try store.entity($0, of: EntityArgument.anyKind, in: root.flatMap { .init($0) }).id
            },
            under: root, replica: try replica.map { try $0.replica(in: store) },
            author: author, kind: kind, isReversed: !reverse && !follow)
        range.restrict(&filter)
        let end = try store.status().position
        var list = CommitList(
            store: store, filter: filter, text: text, isJSON: options.json, isFull: full, newest: end)
        guard follow else { return try listPage(&list, range, end) }
        list.last = end
        Console.current.tellOfWaiting(after: end)
        var remaining = limits.limit ?? .max
        for await _ in store.changes() {
            guard Console.current.hasReader() else { return }
            try list.print(&remaining) { _ in true }
            list.flush(next: nil)
            if remaining == 0 { return }
        }
    }

    private func listPage(_ list: inout CommitList, _ range: LogRange, _ end: Position) throws {
        let last = min(range.end ?? end, end)
        list.last = reverse ? max(after ?? range.start, range.start) : after.map { min($0, last.next) } ?? last.next
        var remaining = limits.count
        let isWithin = { (position: Position) in position > range.start && position <= last }
        try list.print(&remaining, while: isWithin)
        if remaining == limits.count, !options.json { Console.current.out("No commits.") }
        defer { list.noteIfCut() }
        guard remaining == 0, let next = try list.next(), isWithin(next), let printed = list.last else {
            return list.flush(next: nil)
        }
        list.flush(next: printed)
        LimitOptions.noteMore(after: printed)
    }
}

/// Prints commits, one batch after the other.
private struct CommitList {
    /// The lines of a terminal that an event takes at most.
    static let mostLines = 3

    let store: TripStore
    let filter: AuditFilter
    /// The text that a commit must mention; nil for any.
    let text: String?
    let isJSON: Bool
    let isFull: Bool
    /// The columns of the positions.
    private let positionWidth: Int
    /// Those of who wrote commits: as wide as the widest that was printed.
    private var whoWidth = 0
    /// The commit that was printed last, or after which it begins.
    var last: Position?
    /// In JSON, the last one of those: it is printed once it is known whether others follow.
    private var pending: AuditedCommit?
    /// Whether something of what was printed was left out.
    private var isCut = false
    /// The size of the JSON that was printed. A page of the inspector ends early beyond the most.
    private var bytes = 0
    private static let mostBytes = 8 << 20

    init(store: TripStore, filter: AuditFilter, text: String?, isJSON: Bool, isFull: Bool, newest: Position) {
        self.store = store
        self.filter = filter
        self.text = text
        self.isJSON = isJSON
        self.isFull = isFull
        positionWidth = "\(newest)".count
    }

    /// Prints as many commits as there are and remain, up to one that is beyond.
    mutating func print(_ remaining: inout Int, while isWithin: (Position) -> Bool) throws {
        while remaining > 0, Console.current.hasReader() {
            // No snapshot is held while lines are printed, so each read is bounded.
            let most = isJSON || isFull || text != nil ? .max : AuditText.mostEvents
            let page = try store.audit(
                filter, limit: text == nil ? min(remaining, 32) : 32, beyond: last, detailingUpTo: most)
            let commits = page.rows.prefix { isWithin($0.position) }
            let wanted = text.map { text in commits.filter { $0.mentions(text) }[...] } ?? commits
            let printed = try wanted.prefix(print(wanted.prefix(remaining)))
            if printed.count == remaining || printed.count < wanted.count {
                (remaining, last) = (0, printed.last?.position ?? last)
                return
            }
            remaining -= printed.count
            guard let position = commits.last?.position else { return }
            last = position
            if commits.count < page.rows.count { return }
        }
    }

    /// Prints what is pending, with the position after which a list goes on that was cut there.
    mutating func flush(next: Position?) {
        guard let commit = pending else { return }
        pending = nil
        let text = AuditText.row(commit, next: next).text
        bytes += text.utf8.count
        Console.current.out(text)
    }

    /// The position of the commit that comes next; nil if there is none.
    func next() throws -> Position? {
        try store.audit(filter, limit: 1, beyond: last, detailingUpTo: 0).first?.position
    }

    /// Says how to see what was left out.
    func noteIfCut() {
        if isCut { Console.current.note("Not all of each commit is shown: --full shows it.") }
    }

    /// Returns how many were printed: fewer if an answer would become too long.
    private mutating func print(_ commits: ArraySlice<AuditedCommit>) throws -> Int {
        if isJSON {
            for (index, commit) in commits.enumerated() {
                if index > 0 || pending != nil, SharedStore.current != nil, bytes > Self.mostBytes { return index }
                flush(next: nil)
                pending = commit
            }
            return commits.count
        }
        let layout = Console.current.layout
        let mayBeErased = commits.contains { $0.erased != nil || $0.events.isEmpty }
        let erasures = mayBeErased ? try NamedErasures(in: store) : NamedErasures()
        whoWidth = max(whoWidth, commits.map { layout.shown($0.info.who).columns }.max() ?? 0)
        for commit in commits {
            let position =
                String(repeating: " ", count: max(0, positionWidth - "\(commit.position)".count)) + "\(commit.position)"
            let who = layout.shown(commit.info.who).padded(to: whoWidth)
            let isSummedUp = !isFull && commit.events.count > AuditText.mostEvents
            isCut = isCut || isSummedUp
            for (index, text) in AuditText.events(commit, erasures, isSummedUp: isSummedUp).enumerated() {
                // What follows the sum, or the events, are erasures of others.
                let written =
                    index < (isSummedUp ? 1 : commit.events.count) ? commit.events[index].written : commit.timestamp
                let head = "\(position)  \(AuditText.time(written))  \(who)  "
                let room = layout.columns.map { max($0 - head.columns, 20) }
                var lines = layout.wrapped(layout.shown(text), to: room)
                if !isFull, lines.count > Self.mostLines, let room {
                    let rest = lines[(Self.mostLines - 1)...].joined(separator: " ")
                    lines[(Self.mostLines - 1)...] = [layout.cut(rest, to: room)]
                    isCut = true
                }
                for (number, line) in lines.enumerated() {
                    Console.current.out((number == 0 ? head : String(repeating: " ", count: head.columns)) + line)
                }
            }
        }
        return commits.count
    }
}

extension AuditedCommit {
    /// Whether a name or a value of its events has a text, in capitals or not.
    fileprivate func mentions(_ text: String) -> Bool {
        let has = { (value: String) in value.localizedCaseInsensitiveContains(text) }
        return events.contains { event in
            has(event.name) || event.changes.contains { has($0.new.text) || has($0.old?.text ?? "") }
        }
    }
}
