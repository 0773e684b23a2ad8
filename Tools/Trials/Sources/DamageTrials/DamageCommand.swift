public import ArgumentParser
import Foundation

/// Damages the files of a store repeatedly, and uses it with the commands of the tool.
public struct DamageCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "damage", abstract: "Damage the files of a store and use it with every command.",
        discussion: """
            Each try damages one file of a sample store, which was closed or left by a killed process, and runs commands of the \
            tool on it in a second process: the main ones each time, of the others three that read and one or two that write, \
            drawn by the try's seed. No command may end by a signal or hang; 'audit verify' never says that a log is intact in \
            which a commit is another; an answer is right, or 'replay --verify' finds that it is not; and a sound store that \
            takes something from the damaged one stays sound.
            """)

    @Option(name: .long, help: "How many to try.")
    var tries: UInt64 = 20_000

    @Option(name: .long, help: "The number of the first: it is the seed.")
    var first: UInt64 = 1

    @Option(
        name: .long,
        help: "Which files: \(Trials.allAreas.joined(separator: ", ")); may be given several times. Default: all.")
    var area: [String] = []

    @Option(name: .long, help: "How many processes work at a time.")
    var jobs: UInt64 = UInt64(ProcessInfo.processInfo.activeProcessorCount)

    @Option(name: .long, help: "The seed of the sample store.")
    var sampleSeed: UInt64 = 1

    @Option(name: .long, help: "Where the stores lie meanwhile. Default: the folder for temporary files.")
    var scratch: String?

    // Tells the second process its part.
    @Option(name: .long, help: .hidden)
    var worker: String?

    @Option(name: .long, help: .hidden)
    var end: UInt64?

    public init() {}

    public func validate() throws {
        guard tries > 0, jobs > 0, first <= .max - tries else {
            throw ValidationError("Give at least one try and one job, and numbers below \(UInt64.max).")
        }
        if let unknown = area.first(where: { !Trials.allAreas.contains($0) }) {
            throw ValidationError("There is no area '\(unknown)'. They are \(Trials.allAreas.joined(separator: ", ")).")
        }
    }

    public func run() async throws {
        let areas = area.isEmpty ? Trials.allAreas : area
        if let worker, let end {
            return try await Trials.work(root: worker, first: first, end: end, areas: areas, sampleSeed: sampleSeed)
        }
        let start = Date()
        // The options of the trials come later in the line, and then count.
        let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        let subcommand = CommandLine.arguments.dropFirst().prefix { !$0.hasPrefix("-") }
        let folder = scratch ?? FileManager.default.temporaryDirectory.path
        var sum = Trials.Summary()
        try await withThrowingTaskGroup(of: Trials.Summary.self) { group in
            let share = (tries + jobs - 1) / jobs
            for job in 0..<jobs where job * share < tries {
                let trials = Trials(
                    areas: areas, first: first + job * share, count: min(share, tries - job * share),
                    sampleSeed: sampleSeed, scratch: folder, executable: program, arguments: Array(subcommand))
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        // It blocks for its process: not on a shared thread.
                        Thread.detachNewThread {
                            continuation.resume(with: Result { try trials.run { print($0) } })
                        }
                    }
                }
            }
            for try await summary in group { sum += summary }
        }
        for (name, count) in sum.counts.sorted(by: { $0.key < $1.key }) { print("\(count)\t\(name)") }
        print(
            "\(sum.total) tries from \(first) on, \(sum.failures.count) failures, in "
                + "\(Int(Date().timeIntervalSince(start))) s.")
        if !sum.failures.isEmpty {
            print("Run one again with --first NUMBER --tries 1 and the same areas.")
            throw ExitCode.failure
        }
    }
}
