import LMDB
import Synchronization

/// Announces the changes of a log: those of this process at once, those of others by polling while there is a watcher.
final class LogChanges: Sendable {
    let signal: ChangeSignal
    private let seen: SeenTransaction

    init(_ environment: Environment) {
        let seen = SeenTransaction(environment)
        self.seen = seen
        signal = ChangeSignal { seen.advance() }
    }

    /// Something was stored.
    func raise() {
        _ = seen.advance()
        signal.raise()
    }
}

/// The newest transaction of an environment that was announced.
private final class SeenTransaction: Sendable {
    private let environment: Environment
    private let number: Atomic<Int>

    init(_ environment: Environment) {
        self.environment = environment
        number = Atomic((try? environment.lastTransaction()) ?? 0)
    }

    /// Whether there was a newer one.
    func advance() -> Bool {
        guard let newest = try? environment.lastTransaction() else { return false }
        return number.exchange(newest, ordering: .acquiringAndReleasing) != newest
    }
}

extension Log {
    /// Raised by every change of the log's commits and erasures, of this process and of others, and now and then
    /// without one. Raised once the change is durable, perhaps before views show it.
    package var changes: ChangeSignal { announced.signal }

    /// Whether this replica's line ends with commits that are not signed yet, and so cannot be offered.
    package func hasUnsignedCommits() throws -> Bool { try !isReadOnly && !read { try $0.isHeadSigned() } }
}

extension Log {
    /// Lets the next commit be signed in its own transaction, because a sync waits to send it: signing it afterwards
    /// takes one more, with a sync of its own. Only the next one, so that a batch is not signed commit by commit.
    package func signWithNext() { writer?.signsNext.store(true, ordering: .relaxed) }
}
