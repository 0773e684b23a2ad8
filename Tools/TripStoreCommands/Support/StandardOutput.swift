import Dispatch
import Foundation
import Synchronization

/// Standard output, and whether it has a reader.
final class StandardOutput: Sendable {
    /// The error number of the first failed write, after which nothing more is written.
    private let error = Atomic<Int32>(0)

    /// From then on a lost reader does not kill the process: it finishes its other work, and leaves nothing behind.
    init() { signal(SIGPIPE, SIG_IGN) }

    func write(_ text: String) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { write($0) } }

    private func write(_ bytes: UnsafeRawBufferPointer) {
        guard error.load(ordering: .relaxed) == 0 else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Foundation.write(
                STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                _ = poll(&descriptor, 1, -1)
            } else if errno != EINTR {
                return error.store(errno, ordering: .relaxed)
            }
        }
    }

    /// Whether everything was written, and, for a pipe or a terminal, the other end is open.
    var hasReader: Bool {
        if error.load(ordering: .relaxed) != 0 { return false }
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        guard poll(&descriptor, 1, 0) > 0 else { return true }
        return Int32(descriptor.revents) & Int32(POLLERR | POLLHUP | POLLNVAL) == 0
    }

    /// The columns of the terminal that it is; nil if it is none.
    static var terminalColumns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Why something could not be written. A reader that is gone, as of a pipe into `head`, is no error.
    var failure: String? {
        let error = error.load(ordering: .relaxed)
        switch error {
        case 0, EPIPE: return nil
        // There was no output when the process began.
        case EBADF, EINVAL: return "standard output is closed"
        default: return String(cString: strerror(error))
        }
    }
}

/// Records signals instead of their default action, as long as it exists. A second signal has its default action.
final class Signals {
    private let raised = Flag()
    private let sources: [any DispatchSourceSignal]

    /// Returns once they are recorded: one that was raised before that would be lost, or end the process.
    init(_ noted: [Int32]) {
        let queue = DispatchQueue(label: "tripstore.signals")
        sources = noted.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        let registration = DispatchGroup()
        for (source, number) in zip(sources, noted) {
            registration.enter()
            source.setRegistrationHandler {
                #if canImport(Darwin)
                    // Elsewhere the source has put a handler of its own in the place of the default action.
                    signal(number, SIG_IGN)
                #endif
                registration.leave()
            }
            source.setEventHandler { [raised] in
                raised.value.store(true, ordering: .relaxed)
                for other in noted { signal(other, SIG_DFL) }
            }
            source.resume()
        }
        // On threads of the queue, some microseconds.
        registration.wait()
    }

    deinit {
        for source in sources { source.cancel() }
    }

    var wereRaised: Bool { raised.value.load(ordering: .relaxed) }
}

/// Signals that are noted from some moment on, until they are forgotten.
final class NotedSignals: Sendable {
    private let numbers: [Int32]
    private let signals = Mutex<Signals?>(nil)

    init(_ numbers: [Int32]) { self.numbers = numbers }

    /// May be repeated.
    func note() {
        signals.withLock { signals in
            if signals == nil { signals = Signals(numbers) }
        }
    }

    func forget() { signals.withLock { $0 = nil } }

    var wereRaised: Bool { signals.withLock { $0?.wereRaised ?? false } }
}

private final class Flag: Sendable {
    let value = Atomic(false)
}
