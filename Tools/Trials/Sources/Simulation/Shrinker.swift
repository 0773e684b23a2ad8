/// Shortens a failing scenario: leaves out steps, many at first, as long as it still fails.
///
/// After Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002).
public enum Shrinker {
    /// `fails` runs a scenario and returns whether it failed. It is called at most `limit` times.
    public static func shortest(
        _ scenario: Scenario, limit: Int = 400, fails: (Scenario) async -> Bool
    ) async -> Scenario {
        var shortest = scenario
        var runs = 0
        var size = max(shortest.steps.count / 2, 1)
        while runs < limit {
            var hasShrunk = false
            var start = 0
            while start < shortest.steps.count && runs < limit {
                var candidate = shortest
                candidate.steps.removeSubrange(start..<min(start + size, shortest.steps.count))
                runs += 1
                if await fails(candidate) {
                    shortest = candidate
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1 && !hasShrunk { break }
            size = max(size / 2, 1)
        }
        return shortest
    }
}
