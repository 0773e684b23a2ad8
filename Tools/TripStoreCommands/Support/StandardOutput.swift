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

    /// The columns of the terminal that a descriptor is; nil if it is none.
    static func terminalColumns(of descriptor: Int32 = STDOUT_FILENO) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
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
