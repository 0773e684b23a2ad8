import StoreSupport
import Testing

@testable import TripStore

/// Two stacks of actions, as Foundation's manager keeps them.
@MainActor
private final class Stacks: UndoRegistering {
    private(set) var undoable: [(name: String, action: @MainActor () -> Void)] = []
    private(set) var redoable: [(name: String, action: @MainActor () -> Void)] = []
    private var isUndoing = false

    func registerUndo(named name: String, _ action: @escaping @MainActor () -> Void) {
        if isUndoing { redoable.append((name, action)) } else { undoable.append((name, action)) }
    }

    func undo() {
        isUndoing = true
        undoable.popLast()?.action()
        isUndoing = false
    }

    func redo() { redoable.popLast()?.action() }
}

@MainActor
@Suite("Undo and redo by a manager of an app's")
struct UndoRegisteringTests {
    private let stacks = Stacks()

    /// Registers a write, and returns the outcome of each step.
    private func outcomes(
        of receipt: Receipt, in store: TripStore
    ) -> AsyncStream<Result<UndoReport, any Error>> {
        let (stream, continuation) = AsyncStream.makeStream(of: Result<UndoReport, any Error>.self)
        store.register(receipt, as: "Rename", with: stacks, by: "ana") { continuation.yield($0) }
        return stream
    }

    private func next(_ outcomes: AsyncStream<Result<UndoReport, any Error>>) async -> Result<UndoReport, any Error>? {
        for await outcome in outcomes { return outcome }
        return nil
    }

    @Test("Each step puts back the one before it, in the order in which they were asked for")
    func steps() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let receipt = try await store.edit(lisbon) { $0.name = "Porto" }
        let outcomes = outcomes(of: receipt, in: store)
        #expect(stacks.undoable.map(\.name) == ["Rename"])
        stacks.undo()
        #expect(stacks.undoable.isEmpty && stacks.redoable.map(\.name) == ["Rename"])
        let first = try await next(outcomes)?.get()
        #expect(first?.changes.count == 1)
        #expect(try store.trip(lisbon)?.name == "Lisbon")
        // Faster than they are written.
        stacks.redo()
        stacks.undo()
        stacks.redo()
        for _ in 0..<3 {
            let step = try await next(outcomes)?.get()
            #expect(step?.changes.count == 1)
        }
        #expect(try store.trip(lisbon)?.name == "Porto")
        #expect(stacks.undoable.count == 1 && stacks.redoable.isEmpty)
        try await store.expectInvariants()
    }

    @Test("What another has written since stays, and neither it nor its redoing writes anything")
    func overwritten() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let receipt = try await store.edit(lisbon) { $0.name = "Porto" }
        let outcomes = outcomes(of: receipt, in: store)
        let later = try await store.edit(lisbon, by: "ben") { $0.name = "Faro" }
        stacks.undo()
        let report = try await next(outcomes)?.get()
        #expect(report?.changes.isEmpty == true && report?.kept.count == 1)
        stacks.redo()
        // When the other write is gone, an undo finds what it looks for.
        try await store.undo(later)
        stacks.undo()
        let last = try await next(outcomes)?.get()
        #expect(last?.changes.count == 1)
        #expect(try store.trip(lisbon)?.name == "Lisbon")
        try await store.expectInvariants()
    }

    @Test("An error is passed on, and a write that changed nothing registers nothing")
    func failures() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        store.register(try await store.edit(lisbon) { $0.name = "Lisbon" }, as: "Rename", with: stacks)
        #expect(stacks.undoable.isEmpty)
        let receipt = try await store.edit(lisbon) { $0.name = "Porto" }
        let outcomes = outcomes(of: receipt, in: store)
        try await store.expectInvariants()
        await store.close()
        stacks.undo()
        let outcome = await next(outcomes)
        #expect(throws: TripStoreError.self) { try outcome?.get() }
    }
}
