import Foundation
import Synchronization

/// Opens a person's browser at an address that is a secret.
///
/// Arguments of programs can be seen by every user of a machine: the browser is given a file that this user alone can read, which leads to
/// the address.
final class BrowserStart: Sendable {
    private let folder = Mutex<URL?>(nil)

    /// Does nothing where there is no desktop: the address was printed.
    func open(_ address: String, in environment: [String: String]) {
        guard let program = Self.program(environment), let file = try? page(leadingTo: address) else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [file.path]
        // A terminal that is opened from there would not find the other programs.
        process.environment = environment.filter { $0.key != OtherProgram.mark }
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try? process.run()
    }

    /// What opens files on the desktop: that of the freedesktop systems, where there is one, or that of macOS.
    private static func program(_ environment: [String: String]) -> String? {
        let isThere = FileManager.default.isExecutableFile(atPath:)
        guard isThere("/usr/bin/xdg-open") else { return isThere("/usr/bin/open") ? "/usr/bin/open" : nil }
        let hasDesktop = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
        return hasDesktop ? "/usr/bin/xdg-open" : nil
    }

    /// Removes the file.
    func end() {
        folder.withLock { folder in
            if let folder { try? FileManager.default.removeItem(at: folder) }
            folder = nil
        }
    }

    private func page(leadingTo address: String) throws -> URL {
        let made = FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: made, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        folder.withLock { $0 = made }
        let file = made.appendingPathComponent("open.html")
        let text = "<!doctype html><title>Opening</title><meta http-equiv=\"refresh\" content=\"0; url=\(address)\">\n"
        try Data(text.utf8).write(to: file)
        return file
    }
}
