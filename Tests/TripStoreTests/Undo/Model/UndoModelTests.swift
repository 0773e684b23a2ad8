import TestSupport
import Testing

@testable import TripStore

@Suite("Undo, redo and resolving, held against a model", .timeLimit(.minutes(10)))
struct UndoModelTests {
    @Test(
        "Whatever is written, undone, done again and resolved on two replicas, both end with what the model has",
        arguments: Seeds.some(400))
    func model(seed: UInt64) async throws {
        var trial = try await UndoTrial(seed: seed)
        do { try await trial.run(steps: 14) } catch let difference as UndoDifference {
            Issue.record(difference)
        }
        try await trial.expectInvariants()
    }
}
