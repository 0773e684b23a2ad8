import Foundation
import StoreSupport
import TestSupport
import Testing

extension Tool {
    /// Runs a shell script in the tool's folder, with the program as `$T` and the store as `$TRIPSTORE`; a script that hangs is
    /// ended after a minute.
    func shell(_ script: String) throws -> Program.Output {
        let program = try KilledProcess.executable("tripstore").path
        let dependencies = ["T=\(program)", "TRIPSTORE=\(path)"]
        let whole = "cd '\(folder.url.path)' && \(script)"
        return try #require(try Program.run("env", dependencies + ["timeout", "-k", "5", "60", "sh", "-c", whole]))
    }

    /// The content of the tool's folder.
    func names(in part: String = "") throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path(part)))
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    }

    func text(of name: String) throws -> String { try String(contentsOfFile: folder.path(name), encoding: .utf8) }
}
