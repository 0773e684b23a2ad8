/// The failure of a simulation.
public struct SimulationFailure: Error, CustomStringConvertible {
    public let scenario: Scenario
    /// How far it came: the number of the failing step, or the number of steps if it failed after all of them.
    public let step: Int
    public let message: String

    /// The message without hashes, numbers and ids, which differ between runs of fewer steps.
    public var kind: String { String(message.filter { !$0.isHexDigit }.prefix(48)) }

    /// The steps, a line each.
    public var description: String {
        var lines = ["seed \(scenario.seed), \(scenario.replicas) replicas:"]
        for (number, step) in scenario.steps.prefix(step + 1).enumerated() { lines.append("  \(number + 1). \(step)") }
        lines.append(step < scenario.steps.count ? "in step \(step + 1): \(message)" : "after healing: \(message)")
        return lines.joined(separator: "\n")
    }
}

extension Simulation {
    /// As `run`, with the failure as a result.
    public static func result(of scenario: Scenario) async -> Result<SimulationOutcome, SimulationFailure> {
        do { return .success(try await run(scenario)) } catch let failure as SimulationFailure {
            return .failure(failure)
        } catch {
            return .failure(SimulationFailure(scenario: scenario, step: 0, message: "\(error)"))
        }
    }
}

extension Result where Failure == SimulationFailure {
    /// The failure; nil if there was none.
    public var failure: SimulationFailure? { if case .failure(let failure) = self { failure } else { nil } }
}
