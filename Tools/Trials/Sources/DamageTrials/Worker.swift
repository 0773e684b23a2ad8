import Foundation

/// Runs one trial after another in this process, which a trial may end: the current one is kept in a file.
struct Worker {
    let root: String
    let numbers: Range<UInt64>
    let areas: [Trial.Area]
    let sampleSeed: UInt64

    static func progressPath(_ root: String) -> String { root + ".progress" }
    static func resultsPath(_ root: String) -> String { root + ".results" }

    func run() async throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        var sample = try await Sample(in: root, seed: sampleSeed)
        sample = try await sample.answered()
        let progress = open(Self.progressPath(root), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let results = open(Self.resultsPath(root), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard progress >= 0, results >= 0 else { throw TrialError("No files beside \(root): \(errno)") }
        defer {
            close(progress)
            close(results)
        }
        for number in numbers {
            var trial = Trial(number, of: sample, areas: areas)
            let words = trial.description
            let line: String
            do {
                let result = try await trial.run { step in
                    Self.replace("\(number)\n\(words)\n\(step)\n", in: progress)
                }
                line = "\(number)\t\(trial.area.rawValue)\t\(result.rawValue)"
            } catch let wrong as Trial.Wrong {
                let reason = "\(words): \(wrong)".replacingOccurrences(of: "\n", with: "\u{2028}")
                line = "\(number)\t\(trial.area.rawValue)\twrong\t\(reason)"
            }
            let bytes = Array((line + "\n").utf8)
            _ = bytes.withUnsafeBytes { write(results, $0.baseAddress, $0.count) }
        }
    }

    private static func replace(_ text: String, in descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        ftruncate(descriptor, off_t(bytes.count))
    }
}
