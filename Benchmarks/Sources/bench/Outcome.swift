/// The result of measuring a row.
struct Outcome: Codable, Sendable {
    var measurements: [Measurement] = []
    /// Time against size.
    var series: [Series] = []
    /// Why there is no result.
    var failure: String?
}

/// One figure of ours, beside a peer's if there is one.
struct Measurement: Codable, Sendable {
    /// Which part of the row it is, in words; empty if it is all of it.
    var detail = ""
    var ours: Quantity
    var peer: Quantity?
    /// Ours related to the peer's: times as fast for `.ratioAtLeast`, times the time or size otherwise.
    var ratio: Double?
    var goal: Goal?

    /// Whether the goal is reached; nil if there is none, or no peer to compare with.
    var isReached: Bool? {
        switch goal {
        case nil: nil
        case .ratioAtLeast(let bound): ratio.map { $0 >= bound }
        case .ratioAtMost(let bound): ratio.map { $0 <= bound }
        case .atLeast(let bound): ours.value >= bound
        case .atMost(let bound): ours.value <= bound
        }
    }
}

/// The goal of a measurement.
enum Goal: Codable, Sendable {
    /// That many times as fast as the peer.
    case ratioAtLeast(Double)
    /// That many times the peer's time, or size.
    case ratioAtMost(Double)
    /// In the measurement's own unit.
    case atLeast(Double)
    case atMost(Double)
}

/// A number and its unit.
struct Quantity: Codable, Sendable {
    enum Unit: String, Codable, Sendable {
        case seconds
        /// Events or other things, a second.
        case perSecond
        case bytes
        /// Bytes for each event.
        case bytesPerEvent
        /// So many times.
        case times
    }

    var value: Double
    var unit: Unit

    static func seconds(_ value: Double) -> Quantity { Quantity(value: value, unit: .seconds) }
    static func perSecond(_ value: Double) -> Quantity { Quantity(value: value, unit: .perSecond) }
    static func bytes(_ value: Double) -> Quantity { Quantity(value: value, unit: .bytes) }
    static func bytesPerEvent(_ value: Double) -> Quantity { Quantity(value: value, unit: .bytesPerEvent) }
    static func times(_ value: Double) -> Quantity { Quantity(value: value, unit: .times) }
}

/// How something grows with the number of events.
struct Series: Codable, Sendable {
    struct Point: Codable, Sendable {
        let size: Int
        let value: Double
    }

    /// The plot to which it belongs.
    let plot: String
    /// Ours or the peer's.
    let name: String
    /// Seconds against events.
    var points: [Point] = []
}
