import ArgumentParser
import FaultTesting
import Foundation

struct DiskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disk", abstract: "Let the disk fail at every write and every sync in turn.",
        discussion: """
            Each time there is no room from an operation on, or one fails with EIO. What fails must say so, nothing \
            acknowledged may be lost, also by a power cut afterwards, and the store must go on once the disk is sound. What \
            was refused must not be there; what failed with an unknown outcome is tried again with the same append id and \
            must be there once.
            """)

    @Option(name: .long, help: "Fail in these ways alone: noRoom, noRoomInPart, badWrite, badSync or badSyncs.")
    var kind: [String] = []

    @Option(name: .long, help: "Try every so many-th operation only.")
    var step = 1

    @Option(name: .long, help: "That operation alone.")
    var operation: Int?

    @Option(name: .long, help: "How many power cuts to try after each.")
    var images = 4

    @Option(name: .long, help: "How many to try at a time.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(name: .long, help: "Where stores are made. Default: in memory, where the system has that.")
    var folder: String?

    func validate() throws {
        guard step > 0, jobs > 0, images >= 0 else {
            throw ValidationError("Give at least one job and a step from 1 on.")
        }
        if let unknown = kind.first(where: { DiskTrial.Kind(rawValue: $0) == nil }) {
            throw ValidationError("'\(unknown)' is none of noRoom, noRoomInPart, badWrite, badSync and badSyncs.")
        }
    }

    func run() async throws {
        let start = Date()
        let place = SoakFolder.make(in: folder)
        report("in \(place)")
        let chosen = kind.compactMap { DiskTrial.Kind(rawValue: $0) }
        let kinds = chosen.isEmpty ? DiskTrial.Kind.allCases : chosen
        var failed = 0
        var tried = 0
        for (script, kind) in DiskTrial.Script.allCases.flatMap({ script in kinds.map { (script, $0) } }) {
            let trial = DiskTrial(in: place, script, images: images)
            let count = try await trial.operations(kind)
            let operations = operation.map { [$0] } ?? Array(stride(from: 1, through: count, by: step))
            let runs = try await trial.runs(kind, operations, jobs: jobs)
            let faulty = runs.filter { !$0.faults.isEmpty }
            tried += runs.count
            failed += faulty.count
            report(
                "\(script), \(kind.rawValue): \(runs.count) of \(count) operations, in \(runs.count { !$0.refusals.isEmpty }) of them "
                    + "something was refused, in \(runs.count { $0.unknown > 0 }) with an unknown outcome, "
                    + "\(runs.count(where: \.wasReopened)) had to be opened again, \(faulty.count) failed"
            )
            for kind in StoreFault.Kind.allCases {
                let found = faulty.filter { $0.byKind.contains { $0.kind == kind } }
                guard !found.isEmpty else { continue }
                let operations = found.map { String($0.operation) }.joined(separator: ", ")
                report("  \(kind.rawValue): \(found.count) runs, at operations \(operations)")
                for run in found.prefix(3) { report("    \(run.description)") }
            }
        }
        try? FileManager.default.removeItem(atPath: place)
        report("\(tried) runs in \(Int(Date().timeIntervalSince(start))) s, \(failed) failed.")
        if failed > 0 { throw ExitCode.failure }
    }
}
