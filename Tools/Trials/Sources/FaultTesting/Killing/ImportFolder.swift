import Foundation
import Spawning

/// A folder with a store `s`, into which processes of their own import exports.
struct ImportFolder: Sendable {
    let root: String

    private var variables: [String: String] { KillRound.variables(root) }

    /// Makes the store, with some trips of its own. Returns its journal.
    func make() throws -> [JournalLine] {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        return try runWorker(["open s", "small s 3", "close s"])
    }

    /// Begins to import a file.
    func start(_ export: String, output: Any = FileHandle.nullDevice) throws -> Process {
        let process = Process()
        process.executableURL = try Products.file("tripstore")
        process.arguments = ["import", "--json", "--store", root + "/s", export]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.start()
        return process
    }

    /// Imports a file to its end; returns how many events that took.
    ///
    /// Throws `FaultTestingError` if the import fails.
    func importToEnd(_ export: String) throws -> Int {
        let output = Pipe.made()
        let process = try start(export, output: output)
        let report = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        // What a person deleted is skipped, and the status says so.
        guard process.terminationReason == .exit, [0, 1].contains(process.terminationStatus), !report.isEmpty else {
            throw FaultTestingError("The import of \(export) ended with \(process.terminationStatus).")
        }
        return try JSONDecoder().decode(Report.self, from: report).events
    }

    /// The read part of an import's report.
    private struct Report: Decodable {
        let events: Int
    }

    /// The store's content.
    func contents() throws -> StoreContents {
        _ = try runWorker(["open s", "contents s contents.json", "close s"])
        let data = try Data(contentsOf: URL(fileURLWithPath: root + "/contents.json"))
        return try JSONDecoder().decode(StoreContents.self, from: data)
    }

    private func runWorker(_ commands: [String]) throws -> [JournalLine] {
        let worker = try WorkerProcess(in: root, variables: variables)
        for command in commands {
            guard case .done = worker.tell(command) else {
                throw FaultTestingError("'\(command)' was not done in \(root): \(worker.refusals)")
            }
        }
        worker.end()
        return worker.lines
    }
}
