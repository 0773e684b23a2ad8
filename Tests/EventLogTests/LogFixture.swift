import EventLog
import Events
import Foundation
import LMDB
import StoreSupport
import Testing

/// A log in a folder of its own, with a clock and randomness of the test's.
struct LogFixture {
    let folder = TemporaryFolder()
    let clock: ManualClock
    /// The log's dependencies, the clock's unless a test says otherwise.
    var dependencies: Dependencies

    init(seed: UInt64 = 1) {
        clock = ManualClock(seed: seed)
        dependencies = clock.dependencies
    }

    /// A new log without a given journal gets an open one, or founds one.
    func open(journal: JournalID? = nil, readOnly: Bool = false, founding: Bool = false) throws -> Log {
        var environment = Environment.Options(readOnly ? .reading : .creating, mapSize: 1 << 30)
        // A checkpoint would touch the files of a log that the test has let go of, and damages or copies.
        environment.idleTime = .infinity
        var options = Log.Options(
            journal: journal, deviceName: "test", environment: environment, dependencies: dependencies)
        options.foundsJournal = founding
        return try Log.open(at: folder.path("log"), keyPath: folder.path("replica.key"), options: options)
    }

    /// A copy of the files as they are; the log must not be open.
    func copied(seed: UInt64) throws -> LogFixture {
        var copy = LogFixture(seed: seed)
        copy.dependencies.fileOrigin = dependencies.fileOrigin
        copy.dependencies.machineFolder = dependencies.machineFolder
        try folder.copy(to: copy.folder)
        return copy
    }

    /// Invariants of every log at any time.
    func expectIntact(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let report = try LogVerifier.verify(EnvironmentRows(at: folder.path("log")))
        #expect(report.findings == [], sourceLocation: sourceLocation)
    }
}

extension Payload {
    /// A payload with one event that writes a text.
    static func sample(_ text: String, id: UUID = UUID()) -> Payload {
        Payload(
            author: "ana",
            events: [
                Event(
                    verb: .created, entity: EntityReference(kind: EntityKind(rawValue: 1), id: id),
                    changes: [Change(path: FieldPath(field: 1), value: Array(text.utf8))])
            ])
    }
}

extension Log {
    func commits() throws -> [RecordedCommit] {
        try read { log in
            var found: [RecordedCommit] = []
            try log.forEachCommit(after: .start) { commit in
                found.append(RecordedCommit(commit))
                return true
            }
            return found
        }
    }

    /// Appends samples and returns where they were stored.
    func appendSamples(_ count: Int) async throws -> [Appended] {
        var appended: [Appended] = []
        for number in 0..<count { if let one = try await append(.sample("\(number)")) { appended.append(one) } }
        return appended
    }
}
