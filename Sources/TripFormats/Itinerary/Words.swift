import Foundation

/// Numbers in words, for people.
package enum Words {
    /// A number of bytes, as in 1.2 MB; a thousand to the next unit.
    package static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var (value, unit) = (Double(count) / 1000, 0)
        let units = ["kB", "MB", "GB", "TB"]
        // A value that would be rounded up to a thousand belongs to the next unit.
        while value >= 999.95, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return String(format: value < 9.995 ? "%.2f %@" : "%.1f %@", value, units[unit])
    }

    package static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// The error of a clock, in its greatest unit and the next.
    package static func duration(milliseconds: Int64) -> String {
        let seconds = milliseconds.magnitude / 1000
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        guard let first = parts.firstIndex(where: { $0.0 > 0 }) else { return "0 s" }
        return parts[first...].prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
