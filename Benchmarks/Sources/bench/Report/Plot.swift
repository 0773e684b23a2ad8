import Foundation

/// A plot of time against size, both on logarithmic axes, so that a cost in proportion is a line of one slope.
///
/// Colours come from the reader's scheme, light or dark, by a style sheet inside of the picture.
struct Plot {
    let title: String
    let series: [Series]

    private static let width = 640.0
    private static let height = 400.0
    private static let left = 84.0
    private static let right = 24.0
    private static let top = 52.0
    private static let bottom = 56.0
    private static let marks = ["c0", "c1", "c2", "c3"]

    /// Nil if there is nothing to show.
    var svg: String? {
        let drawn = series.filter { !$0.points.isEmpty }
        let points = drawn.flatMap(\.points).filter { $0.size > 0 && $0.value > 0 }
        guard let sizes = Axis(points.map { Double($0.size) }), let values = Axis(points.map(\.value)) else {
            return nil
        }
        var parts = [header, "<text class=\"title\" x=\"\(Self.left)\" y=\"24\">\(escaped(title))</text>"]
        parts += grid(sizes, values)
        for (index, series) in drawn.enumerated() { parts += line(series, index, sizes, values) }
        parts += legend(drawn)
        return (parts + ["</svg>", ""]).joined(separator: "\n")
    }

    private var header: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" \
        aria-label="\(escaped(title))">
        <style>
        text { font: 13px system-ui, sans-serif; fill: #1f2328 } .title { font-size: 15px; font-weight: 600 }
        .back { fill: #ffffff } .grid { stroke: #d1d9e0; stroke-width: 1 } .line { fill: none; stroke-width: 2 }
        .c0 { stroke: #0969da; fill: #0969da } .c1 { stroke: #bc4c00; fill: #bc4c00 }
        .c2 { stroke: #1a7f37; fill: #1a7f37 } .c3 { stroke: #8250df; fill: #8250df } .line { fill: none }
        @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3 } .back { fill: #0d1117 } .grid { stroke: #3d444d }
        .c0 { stroke: #58a6ff; fill: #58a6ff } .c1 { stroke: #f0883e; fill: #f0883e }
        .c2 { stroke: #3fb950; fill: #3fb950 } .c3 { stroke: #bc8cff; fill: #bc8cff } .line { fill: none }
        }
        </style>
        <rect class="back" width="100%" height="100%"/>
        """
    }

    private func x(_ value: Double, _ axis: Axis) -> Double {
        Self.left + axis.share(value) * (Self.width - Self.left - Self.right)
    }

    private func y(_ value: Double, _ axis: Axis) -> Double {
        Self.height - Self.bottom - axis.share(value) * (Self.height - Self.top - Self.bottom)
    }

    private func grid(_ sizes: Axis, _ values: Axis) -> [String] {
        var parts: [String] = []
        for tick in sizes.ticks {
            let place = text(x(tick, sizes))
            parts.append(
                "<line class=\"grid\" x1=\"\(place)\" x2=\"\(place)\" y1=\"\(Self.top)\" y2=\"\(Self.height - Self.bottom)\"/>"
            )
            parts.append(
                "<text x=\"\(place)\" y=\"\(Self.height - Self.bottom + 20)\" text-anchor=\"middle\">\(Self.count(tick))</text>"
            )
        }
        for tick in values.ticks {
            let place = text(y(tick, values))
            parts.append(
                "<line class=\"grid\" x1=\"\(Self.left)\" x2=\"\(Self.width - Self.right)\" y1=\"\(place)\" y2=\"\(place)\"/>"
            )
            parts.append(
                "<text x=\"\(Self.left - 8)\" y=\"\(text(y(tick, values) + 4))\" text-anchor=\"end\">"
                    + "\(ResultTable.text(.seconds(tick)))</text>")
        }
        parts.append(
            "<text x=\"\((Self.left + Self.width - Self.right) / 2)\" y=\"\(Self.height - 14)\" text-anchor=\"middle\">events</text>"
        )
        return parts
    }

    private func line(_ series: Series, _ index: Int, _ sizes: Axis, _ values: Axis) -> [String] {
        let mark = Self.marks[index % Self.marks.count]
        let places = series.points.sorted { $0.size < $1.size }
            .map { (text(x(Double($0.size), sizes)), text(y($0.value, values))) }
        let path = places.map { "\($0.0),\($0.1)" }.joined(separator: " ")
        return ["<polyline class=\"\(mark) line\" points=\"\(path)\"/>"]
            + places.map { "<circle class=\"\(mark)\" cx=\"\($0.0)\" cy=\"\($0.1)\" r=\"4\"/>" }
    }

    private func legend(_ series: [Series]) -> [String] {
        var parts: [String] = []
        var place = Self.left
        for (index, series) in series.enumerated() {
            let mark = Self.marks[index % Self.marks.count]
            parts.append("<circle class=\"\(mark)\" cx=\"\(place + 5)\" cy=\"40\" r=\"4\"/>")
            parts.append("<text x=\"\(place + 15)\" y=\"44\">\(escaped(series.name))</text>")
            place += 40 + Double(series.name.count) * 7.5
        }
        return parts
    }

    private func text(_ value: Double) -> String { String(format: "%.1f", value) }

    private static func count(_ value: Double) -> String {
        if value >= 1e6 { return "\(ResultTable.number(value / 1e6)) M" }
        return value >= 1e3 ? "\(ResultTable.number(value / 1e3)) k" : ResultTable.number(value)
    }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\"", with: "&quot;")
    }
}

/// A logarithmic axis.
private struct Axis {
    private let low: Double
    private let high: Double

    /// From just below the least to just above the greatest; nil if there are no values.
    init?(_ values: [Double]) {
        guard let least = values.min(), let greatest = values.max(), least > 0 else { return nil }
        low = log10(least) - 0.1
        high = max(log10(greatest) + 0.1, low + 0.5)
    }

    /// From 0 at the beginning to 1 at the end.
    func share(_ value: Double) -> Double { (log10(value) - low) / (high - low) }

    /// Powers of ten, and between them 2 and 5 where there are few.
    var ticks: [Double] {
        let powers = (Int(low.rounded(.down))...Int(high.rounded(.up))).map { pow(10, Double($0)) }
        let steps: [Double] = high - low > 2.5 ? [1] : [1, 2, 5]
        return powers.flatMap { power in steps.map { power * $0 } }.filter { (0...1).contains(share($0)) }
    }
}
