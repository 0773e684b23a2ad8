import Foundation

/// This process's open and mapped files.
enum OpenFiles {
    /// Waits until this process has nothing below a folder open: other threads release what a command used a moment
    /// after it returned.
    static func waitUntilClosed(below root: String) async throws {
        for _ in 0..<1000 {
            if !hasOpen(below: root) { return }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw TrialError("A store below \(root) is still open.")
    }

    private static func hasOpen(below root: String) -> Bool {
        #if os(Linux)
            if let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8), maps.contains(root + "/") {
                return true
            }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return names.contains { name in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))?.hasPrefix(
                    root + "/")
                    == true
            }
        #else
            return false
        #endif
    }
}
