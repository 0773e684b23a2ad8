import Foundation

/// The descriptors 0, 1 and 2, which every part of a process uses without checking what they are.
package enum StandardDescriptors {
    /// Opens those of them that are closed on nothing, so that no file of a store gets their numbers: printed text
    /// would be written into it. Reading from and writing to them still fails.
    package static func occupy() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            guard fcntl(descriptor, F_GETFD) < 0, errno == EBADF else { continue }
            let opened = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
            // The lowest free number is this one, unless another thread was faster.
            if opened > STDERR_FILENO { close(opened) }
        }
    }
}
