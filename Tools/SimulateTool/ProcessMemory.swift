import Foundation

/// How much memory this process took.
enum ProcessMemory {
    /// The most that was resident at a time, in bytes, maps of files among it; nil where the system does not say.
    static var peak: Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }
}
