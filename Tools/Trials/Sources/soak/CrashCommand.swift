import ArgumentParser
import FaultTesting
import Foundation

struct CrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash", abstract: "Check images of what power cuts leave of stores.",
        discussion: """
            Each workload is run once with every file operation recorded. Images are made of it at points between syncs, and \
            each is opened and held against what was acknowledged: it must verify, its views must equal rebuilt ones, and it must write as \
            the replica that it was. Stores are also moved, restored from an older copy under another replica id, used at two homes by \
            turns, and written to while the clock is 400 days ahead, and again once it is right. The workloads: \
            \(Workload.all.map(\.name).joined(separator: ", ")).
            """)

    @Option(name: .long, help: "How many images to check, over all workloads.")
    var images = 20_000

    @Option(name: .long, help: "What the images are drawn by.")
    var seed: UInt64 = 1

    @Flag(name: .long, help: "Cut the power at each operation in turn, and not at drawn ones.")
    var each = false

    @Option(name: .long, help: "This workload alone; may be given several times.")
    var workload: [String] = []

    @Option(name: .long, help: "Take a sync as if the code lacked it: record, header, folder or data.")
    var withoutSync: [String] = []

    @Option(name: .long, help: "That image of one workload alone, and keep it.")
    var image: Int?

    @Option(name: .long, help: "How many to check at a time.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(name: .long, help: "Keep the folders of so many images that fail, of each workload.")
    var keep = 0

    @Option(name: .long, help: "Where recordings and images are made. Default: in memory, where the system has that.")
    var folder: String?

    @Flag(name: .long, help: "Name each image before it is checked.")
    var verbose = false

    func validate() throws {
        guard images > 0, jobs > 0 else { throw ValidationError("Give at least one image and one job.") }
        let names = Workload.all.map(\.name)
        if let unknown = workload.first(where: { !names.contains($0) }) {
            throw ValidationError(
                "There is no workload '\(unknown)'. Those there are: \(names.joined(separator: ", ")).")
        }
        if let unknown = withoutSync.first(where: { IgnoredSyncs($0) == nil }) {
            throw ValidationError("There is no sync '\(unknown)' to leave out. Give record, header, folder or data.")
        }
        if image != nil && workload.count != 1 { throw ValidationError("Name the one workload of the image.") }
    }

    func run() async throws {
        let start = Date()
        let workloads = Workload.all.filter { workload.isEmpty || workload.contains($0.name) }
        let ignored = withoutSync.compactMap { IgnoredSyncs($0) }.reduce(into: IgnoredSyncs()) { $0.formUnion($1) }
        let place = SoakFolder.make(in: folder)
        report("seed \(seed), in \(place)")
        var (checked, failed) = (0, 0)
        for (index, workload) in workloads.enumerated() {
            let recordings = "\(place)/\(index)"
            let recording = try await Recording.make(workload, in: recordings)
            let share = images / workloads.count + (index < images % workloads.count ? 1 : 0)
            var options = CrashImages.Options(
                images: max(share, image.map { $0 + 1 } ?? 0), seed: seed, ignoring: ignored, jobs: jobs, only: image)
            options.keeps = image != nil ? 1 : keep
            if each { options.cuts = .each }
            let isVerbose = verbose
            let outcome = try await CrashImages.check(recording, in: recordings, options) { number, cut in
                if isVerbose { report("image \(number), \(cut)") }
            }
            checked += outcome.images
            failed += outcome.failures.count
            report(
                "\(workload.name): \(outcome.images) images of \(recording.operations) operations, "
                    + "\(outcome.acknowledged) acknowledged trips looked for, \(outcome.failures.count) failed")
            for (kind, failures) in outcome.byKind {
                report("  \(kind.rawValue): \(failures.count) images")
                for failure in failures.prefix(3) { report("    \(failure)") }
            }
            if outcome.failures.allSatisfy({ $0.folder == nil }) {
                try? FileManager.default.removeItem(atPath: recordings)
            }
        }
        if (try? FileManager.default.contentsOfDirectory(atPath: place))?.isEmpty == true {
            try? FileManager.default.removeItem(atPath: place)
        }
        report("\(checked) images in \(Int(Date().timeIntervalSince(start))) s, \(failed) failed.")
        if failed > 0 { throw ExitCode.failure }
    }
}
