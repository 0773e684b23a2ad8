import Foundation
import Peers

#if canImport(Glibc)
    import Glibc
#endif

/// The measured machine and software: for the page of results.
struct Machine {
    let folder: String

    /// A line for each fact.
    var lines: [(name: String, value: String)] {
        [
            ("processor", "\(processor), \(ProcessInfo.processInfo.activeProcessorCount) cores"),
            ("memory", "\(ProcessInfo.processInfo.physicalMemory >> 30) GiB"),
            ("file system", fileSystem),
            ("system", system),
            ("versions", versions),
        ]
    }

    private var processor: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    }

    private var system: String {
        let kernel = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? ""
        return ProcessInfo.processInfo.operatingSystemVersionString
            + (kernel.isEmpty ? "" : ", kernel \(kernel.trimmingCharacters(in: .whitespacesAndNewlines))")
    }

    /// The versions that only the building script knows.
    private var versions: String {
        let built = ProcessInfo.processInfo.environment["BENCH_VERSIONS"].map { [$0] } ?? []
        return (built + [CEnvironment.version, "SQLite \(SQLiteStore.version)"]).joined(separator: ", ")
    }

    /// The type and the device of the file system with the data: that of the mount with the longest matching path.
    var fileSystem: String {
        let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
        let fields = mounts.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count > 2 }
        let found = fields.filter { folder.hasPrefix($0[1] == "/" ? "/" : $0[1] + "/") }.max {
            $0[1].count < $1[1].count
        }
        return found.map { "\($0[2]) on \($0[0])" } ?? "unknown"
    }

    /// Whether the data lies in memory, where nothing is durable.
    var isInMemory: Bool { ["tmpfs", "ramfs"].contains { fileSystem.hasPrefix($0) } }
}
