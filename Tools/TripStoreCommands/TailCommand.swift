import ArgumentParser
import TripStore

struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail", abstract: "Print commits as JSON, and new ones as they come.",
        discussion: """
            A commit is printed once queries show it, whatever process or replica wrote it, with what each event changed, \
            from what to what. It goes on until it is interrupted or nobody reads its output any more.

            With --subscription it remembers, durably, what it printed, and goes on from there the next time: each commit \
            is printed at least once, over all runs. What was printed when it was killed may be printed again. The first time \
            --from makes the subscription; a name that is not known is an error.

            Examples:
              tripstore tail
              tripstore tail --subscription mirror --from start
              tripstore tail --subscription mirror --no-follow
            """)

    @OptionGroup var options: StoreOptions

    @Option(
        name: .long,
        help: """
            Begin after the commit at this position; 0 is before everything. Default: the end of the log, or 0 with \
            --no-follow.
            """)
    var after: Position?

    @Option(name: .long, help: "Go on after what the subscription of this name printed last.")
    var subscription: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Make the subscription: it begins at the start of the log, at its end, or after a position.",
            valueName: "start|end|position"))
    var from: SubscriptionStart?

    @Flag(name: .long, help: "End with the newest commit that there is now.")
    var noFollow = false

    func validate() throws {
        if from != nil && subscription == nil {
            throw ArgumentParser.ValidationError(
                "--from makes a subscription: name it with --subscription, or give --after.")
        }
        if after != nil && subscription != nil {
            throw ArgumentParser.ValidationError(
                "A subscription goes on after what it printed last. Leave out --after; --from makes a new one.")
        }
    }

    func run() async throws {
        guard let subscription else {
            let store = try await options.openForReading()
            let end = try store.read { $0.position }
            let start = after ?? (noFollow ? .start : end)
            try store.check(.position(start))
            let tail = Tail(start: start, newest: end, isFollowing: !noFollow)
            return try await tail.print(store.commits(after: start)) { _ in }
        }
        try await withStore(options) { store in
            let end = try store.read { $0.position }
            let subscription =
                if let from { try await store.createSubscription(subscription, from: from.start) } else {
                    try await store.subscription(subscription)
                }
            let tail = Tail(start: try subscription.acknowledged, newest: end, isFollowing: !noFollow)
            try await tail.print(subscription) { try await subscription.acknowledge($0) }
        }
    }
}

/// The beginning of a new subscription, on the command line.
struct SubscriptionStart: ExpressibleByArgument {
    let start: CommitSubscription.Start

    init?(argument: String) {
        switch argument {
        case "start": start = .beginning
        case "end": start = .end
        default:
            guard let position = Position(argument: argument) else { return nil }
            start = .after(position)
        }
    }
}

/// Prints commits until an end, or until the command should end.
private struct Tail {
    let start: Position
    /// The newest commit when it began.
    let newest: Position
    /// Whether it goes on with what comes after that one.
    let isFollowing: Bool

    func print(
        _ commits: some AsyncSequence<AuditedCommit, any Error> & Sendable,
        _ done: @escaping @Sendable (Position) async throws -> Void
    ) async throws {
        if start >= newest {
            guard isFollowing else { return }
            Console.current.tellOfWaiting(after: start)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await commit in commits {
                    Console.current.out(AuditText.json(commit).text)
                    // Commits without a reader are printed again the next time.
                    guard Console.current.hasReader() else { return }
                    try await done(commit.position)
                    guard commit.position >= newest else { continue }
                    guard isFollowing else { return }
                    if commit.position == newest { Console.current.tellOfWaiting(after: newest) }
                }
            }
            group.addTask { await Console.current.ended() }
            try await group.next()
            group.cancelAll()
        }
    }
}

extension Console {
    /// Says that a command waits: on a terminal an empty screen looks like one that hangs.
    func tellOfWaiting(after position: Position) {
        if progress != nil { note("Waiting for commits after position \(position). Ctrl-C ends it.") }
    }
}
