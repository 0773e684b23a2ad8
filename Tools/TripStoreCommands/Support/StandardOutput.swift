import Dispatch
import Foundation
import Synchronization

/// Standard output, and whether it gets anywhere.
final class StandardOutput: Sendable {
    private let hasFailed = Atomic(false)

    func write(_ text: String) {
        // A reader that has gone away, as of a pipe into `head`, is no error of ours.
        do { try FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) } catch {
            hasFailed.store(true, ordering: .relaxed)
        }
    }

    /// Whether everything was written, and, if it is a pipe or a terminal, the other end is there.
    var hasReader: Bool {
        if hasFailed.load(ordering: .relaxed) { return false }
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        guard poll(&descriptor, 1, 0) > 0 else { return true }
        return Int32(descriptor.revents) & Int32(POLLERR | POLLHUP | POLLNVAL) == 0
    }
}

/// Takes note of signals in the place of what they would do, as long as it lives. The second time they do it.
final class Signals {
    private let raised = Flag()
    private let sources: [any DispatchSourceSignal]
    private let ignored: [Int32]

    init(_ noted: [Int32], ignoring ignored: [Int32]) {
        self.ignored = ignored
        for number in noted + ignored { signal(number, SIG_IGN) }
        sources = noted.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        for (number, source) in zip(noted, sources) {
            source.setEventHandler { [raised] in
                raised.value.store(true, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
            source.resume()
        }
    }

    deinit {
        for source in sources { source.cancel() }
        for number in ignored { signal(number, SIG_DFL) }
    }

    var wereRaised: Bool { raised.value.load(ordering: .relaxed) }
}

private final class Flag: Sendable {
    let value = Atomic(false)
}
