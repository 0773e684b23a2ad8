import BenchmarkData
import Foundation
import TripFormats
import TripStore

/// A Traveling Snails export, from the views to the file; beside CPython's parser on the same file. At full size it has some 300 MB.
struct ExportRow: Row {
    let name = "export"
    let work = "export of the Traveling Snails JSON, from views to file"
    let peer = "parsing the same file, in memory already, with CPython's json.loads alone"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        let folder = try scratch.makeFolder("export")
        let trips = max(1, settings.events / 2 / TripPlan.entityCount)
        let source = folder.appendingPathComponent("source.json")
        try ExportWriter.write(trips, to: source)
        let store = try await TripStore.open(at: folder.appendingPathComponent("store"), options: .bench)
        try await Importer(store: store).run(path: source.path)
        try FileManager.default.removeItem(at: source)
        let file = folder.appendingPathComponent("export.json")
        let ids = TripIDs(trips).all
        let paired = try await Paired.measure(settings) {
            try await seconds { try await Self.export(store, ids, to: file) }
        } peer: {
            try Self.parse(file)
        }
        await store.close()
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
        return Outcome(measurements: [paired.times("\(size / 1_000_000) MB", goal: .ratioAtMost(1.5))])
    }

    private static func export(_ store: TripStore, _ trips: [Trip.ID], to file: URL) async throws {
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        let losses = try await SnailsExport(of: store).write(trips, isAll: true) {
            try handle.write(contentsOf: Data($0))
        }
        guard losses.isEmpty else { throw BenchError("The export lost something: \(losses[0])") }
    }

    /// The seconds that `json.loads` takes, without the start of the process and the reading of the file.
    private static func parse(_ file: URL) throws -> Double {
        let code = """
            import json, sys, time
            data = open(sys.argv[1], "rb").read()
            begin = time.perf_counter()
            json.loads(data)
            open(sys.argv[2], "w").write(repr(time.perf_counter() - begin))
            """
        let result = file.path + ".seconds"
        try Child.spawn(["/usr/bin/env", "python3", "-c", code, file.path, result])
        guard let seconds = Double(try String(contentsOfFile: result, encoding: .utf8)) else {
            throw BenchError("python3 measured nothing.")
        }
        return seconds
    }
}
