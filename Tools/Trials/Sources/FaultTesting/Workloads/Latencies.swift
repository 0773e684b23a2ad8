/// Durations of many tasks, of which percentiles are asked for in the end.
public struct Latencies: Sendable {
    private var seconds: [Double] = []

    public init() {}

    public var count: Int { seconds.count }

    public mutating func add(_ duration: Duration) { seconds.append(duration / .seconds(1)) }

    public mutating func add(_ others: Latencies) { seconds += others.seconds }

    /// In milliseconds.
    public func percentile(_ percent: Double) -> Double {
        guard !seconds.isEmpty else { return 0 }
        let sorted = seconds.sorted()
        return sorted[min(Int(Double(sorted.count) * percent / 100), sorted.count - 1)] * 1000
    }
}
