import Foundation

/// The descriptors 0, 1 and 2, to which every part of a process writes and from which it reads without asking what they are.
package enum StandardDescriptors {
    /// Opens those of them that are closed on nothing, so that no file of a store gets their numbers: what is printed would be written
    /// into it. Reading from and writing to them fails as it did.
    package static func occupy() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            guard fcntl(descriptor, F_GETFD) < 0, errno == EBADF else { continue }
            let opened = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
            // The least number that is free is this one, unless another thread was faster.
            if opened > STDERR_FILENO { close(opened) }
        }
    }
}
