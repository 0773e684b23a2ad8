/// The duration of `body` in seconds.
func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start).seconds
}

/// The same for a body that does not suspend.
func secondsOf(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start).seconds
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension [Double] {
    /// The middle one; of an even number the mean of both. NaN if there are none.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
    }
}

/// Alternating times of ours and of a peer.
struct Paired: Sendable {
    var ours: [Double] = []
    var peer: [Double] = []

    /// The median of the ratios of neighbours, which drift of the machine affects least: ours to the peer's.
    var ratio: Double? { peer.isEmpty ? nil : zip(ours, peer).map { $0 / $1 }.median }

    /// Runs both alternately, and alternates which begins. Each returns its seconds.
    static func measure(
        _ settings: Settings, repeats: Int? = nil, ours: () async throws -> Double, peer: () async throws -> Double
    ) async throws -> Paired {
        var paired = Paired()
        func measurePeer() async throws {
            // Memory that ours freed must not cost the peer, nor the other way round.
            Readiness.prepare()
            paired.peer.append(try await peer())
        }
        for turn in 0..<(repeats ?? settings.repeats) {
            if !settings.onlyOurs && turn % 2 == 1 { try await measurePeer() }
            Readiness.prepare()
            paired.ours.append(try await ours())
            if !settings.onlyOurs && turn % 2 == 0 { try await measurePeer() }
        }
        return paired
    }

    /// The run of that many neighbouring pairs with the least total time. Otherwise media that delay syncs for a while,
    /// as those of hired machines do, would decide the median. Both times count, so that neither is favoured.
    func quietest(_ count: Int) -> Paired {
        let batches = stride(from: 0, to: ours.count, by: count).map { start in
            let range = start..<min(start + count, ours.count)
            return Paired(ours: Array(ours[range]), peer: peer.isEmpty ? [] : Array(peer[range]))
        }
        let full = batches.filter { $0.ours.count == batches[0].ours.count }
        return full.min { $0.cost < $1.cost } ?? self
    }

    private var cost: Double { ours.median + (peer.isEmpty ? 0 : peer.median) }

    /// The ratio of the medians: for short, frequent operations whose times vary.
    var ratioOfMedians: Double? { peer.isEmpty ? nil : ours.median / peer.median }

    /// As times; the goal is for ours.
    func times(_ detail: String = "", goal: Goal?) -> Measurement {
        Measurement(
            detail: detail, ours: .seconds(ours.median), peer: peer.isEmpty ? nil : .seconds(peer.median),
            ratio: Self.ratio(ratio, goal), goal: goal)
    }

    /// As operations a second.
    func rates(_ count: Int, _ detail: String = "", goal: Goal?) -> Measurement {
        Measurement(
            detail: detail, ours: .perSecond(Double(count) / ours.median),
            peer: peer.isEmpty ? nil : .perSecond(Double(count) / peer.median),
            ratio: Self.ratio(ratio, goal), goal: goal)
    }

    private static func ratio(_ ratio: Double?, _ goal: Goal?) -> Double? {
        if case .ratioAtMost = goal { ratio } else { ratio.map { 1 / $0 } }
    }
}
