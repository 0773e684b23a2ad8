import BenchmarkData
import Events
import Foundation
import Peers
import RandomQuestions
import TripStore

/// The input of the peer on SQLite: domain values, and the bytes of the events made in advance.
struct PeerStep: Sendable {
    let plan: TripPlan
    let creations: [Data]
    let edits: [(edit: PlannedEdit, bytes: Data)]

    init(_ step: TripGenerator.Step) throws {
        plan = step.plan
        creations = try Self.bytes(step.plan.events)
        edits = Array(zip(step.edits, try Self.bytes(step.edits.map(\.event))))
    }

    /// The bytes of events as our log has them.
    private static func bytes(_ events: [TripEvent]) throws -> [Data] {
        let encoded = Payload(events: events.map(\.recorded)).encoded()
        return try encoded.withUnsafeBytes { buffer in
            try PayloadView(buffer).outline().events.map { Data(buffer[Int($0.lowerBound)..<Int($0.upperBound)]) }
        }
    }
}

extension SQLiteStore {
    /// Writes steps, events and all, in one durable transaction.
    func write(_ steps: some Sequence<PeerStep>, at time: Int64 = 1_710_000_000_000) throws {
        try write { writer in
            for step in steps {
                try writer.create(step.plan, step.creations, at: time)
                for (edit, bytes) in step.edits { try writer.edit(edit, bytes, at: time) }
            }
        }
    }

    /// A database in a folder with the generator's first events, ready to be measured.
    static func filled(_ folder: URL, events: Int) throws -> SQLiteStore {
        let store = try SQLiteStore(folder)
        var generator = TripGenerator()
        try store.filling {
            try store.write { writer in
                for organization in generator.organizations { try writer.create(organization, nil, at: 0) }
            }
            for _ in 0..<(events / 1_000) {
                try store.write(try (0..<100).map { _ in try PeerStep(generator.next()) })
            }
        }
        return store
    }
}
