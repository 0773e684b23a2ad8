import Foundation

/// This process's memory.
enum ProcessMemory {
    /// The peak of resident memory in bytes, mapped files included; nil where the system does not report it.
    static var peak: Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }
}
