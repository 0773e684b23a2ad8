import StoreSupport
import Testing

extension Tool {
    /// Two trips, the second protected, with some activities.
    static func planned() async throws -> (tool: Tool, lisbon: String) {
        let tool = try await Tool.withStore()
        let lisbon = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-08")
        let porto = try await tool.value("add", "trip", "--name", "Porto", "--protected")
        for (name, cost, trip) in [
            ("Tram 28", "3.20", lisbon), ("Tram 4", "3.00", lisbon), ("Castle", "15.00", lisbon),
            ("tram 10", "4", porto),
        ] {
            _ = try await tool.value(
                "add", "activity", "--name", name, "--trip", trip, "--cost", cost, "--currency", "EUR")
        }
        _ = try await tool.value("add", "activity", "--name", "Walk", "--trip", lisbon)
        return (tool, lisbon)
    }
}

/// The names of what a command that must succeed lists in JSON.
func names(_ outcome: Tool.Outcome) throws -> [String] {
    #expect(outcome.code == 0, "\(outcome.error)")
    return try outcome.objects().compactMap { $0["name"] as? String }
}
