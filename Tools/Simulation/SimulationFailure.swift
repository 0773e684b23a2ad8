/// What went wrong in a simulation.
public struct SimulationFailure: Error, CustomStringConvertible {
    public let scenario: Scenario
    /// How far it came: the number of the step, or that of steps if it went wrong after all of them.
    public let step: Int
    public let message: String

    /// The message without what differs from run to run of ever fewer steps: hashes, numbers and ids.
    public var kind: String { String(message.filter { !$0.isHexDigit }.prefix(48)) }

    /// What happened, a line a step.
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
    /// What went wrong; nil if nothing did.
    public var failure: SimulationFailure? { if case .failure(let failure) = self { failure } else { nil } }
}
