import Foundation

/// Measurements as lines of text and of Markdown.
enum ResultTable {
    /// One line for each measurement of a row.
    static func lines(of outcome: Outcome) -> [String] {
        if let failure = outcome.failure { return ["failed: \(failure)"] }
        return outcome.measurements.map { measurement in
            cells(measurement).filter { !$0.isEmpty }.joined(separator: "   ")
        }
    }

    /// The cells of a measurement: detail, ours, the peer's, ratio, goal, whether it is reached.
    static func cells(_ measurement: Measurement) -> [String] {
        [
            measurement.detail, text(measurement.ours), measurement.peer.map(text) ?? "",
            measurement.ratio.map { ratio($0, measurement.goal) } ?? "", goal(measurement) ?? "",
            measurement.isReached.map { $0 ? "reached" : "**not reached**" } ?? "",
        ]
    }

    private static func ratio(_ ratio: Double, _ goal: Goal?) -> String {
        if case .ratioAtMost = goal { "\(number(ratio)) ×" } else { "\(number(ratio)) × as fast" }
    }

    private static func goal(_ measurement: Measurement) -> String? {
        switch measurement.goal {
        case nil: nil
        case .ratioAtLeast(let bound): "≥ \(number(bound)) ×"
        case .ratioAtMost(let bound): "≤ \(number(bound)) ×"
        case .atLeast(let bound): "≥ \(text(Quantity(value: bound, unit: measurement.ours.unit)))"
        case .atMost(let bound): "≤ \(text(Quantity(value: bound, unit: measurement.ours.unit)))"
        }
    }

    static func text(_ quantity: Quantity) -> String {
        let value = quantity.value
        switch quantity.unit {
        case .seconds:
            if value < 1e-3 { return "\(number(value * 1e6)) µs" }
            return value < 1 ? "\(number(value * 1e3)) ms" : "\(number(value)) s"
        case .perSecond:
            if value >= 1e6 { return "\(number(value / 1e6)) M/s" }
            return value >= 1e3 ? "\(number(value / 1e3)) k/s" : "\(number(value)) /s"
        case .bytes: return value < 1e6 ? "\(number(value / 1e3)) kB" : "\(number(value / 1e6)) MB"
        case .bytesPerEvent: return "\(number(value)) B"
        case .times: return "\(number(value)) ×"
        }
    }

    /// Three significant digits.
    static func number(_ value: Double) -> String {
        if !value.isFinite { return "–" }
        let digits = value == 0 ? 0 : max(0, 2 - Int(log10(abs(value)).rounded(.down)))
        let text = String(format: "%.\(min(digits, 4))f", value)
        guard text.contains(".") else { return text }
        var trimmed = text
        while trimmed.hasSuffix("0") { trimmed.removeLast() }
        if trimmed.hasSuffix(".") { trimmed.removeLast() }
        return trimmed
    }
}
