import EventLog
import Events
import Foundation
import LMDB
import Logging
import ProjectionEngine
import StoreSupport
import Synchronization
import TestSupport
import Testing

/// A log, and groups of projections of it, in a folder of its own.
struct EngineFixture {
    let folder = TemporaryFolder()
    let clock: ManualClock
    let log: Log

    init(seed: UInt64 = 1) throws {
        clock = ManualClock(seed: seed)
        log = try Log.open(
            at: folder.path("log"), keyPath: folder.path("replica.key"),
            options: Log.Options(
                environment: Environment.Options(durability: .unsynced, mapSize: 1 << 30),
                dependencies: clock.dependencies))
    }

    /// A serving group. It stays behind the log until `applyPending` is called.
    func group(_ name: String, _ projections: [any Projection]) async throws -> ProjectionGroup {
        let group = unstartedGroup(name, projections)
        try await group.start()
        try await group.catchUp(to: .start)
        return group
    }

    func unstartedGroup(_ name: String, _ projections: [any Projection]) -> ProjectionGroup {
        let configuration = GroupConfiguration(
            name: name, folder: folder.path(name), projections: projections, schema: "1", mapSize: 1 << 30)
        return ProjectionGroup(
            configuration, log: log, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @discardableResult
    func append(_ events: [Event]) async throws -> Position {
        try #require(try await log.append(Payload(events: events))).position
    }
}

extension ProjectionGroup {
    typealias Rows = [String: [[UInt8]: [UInt8]]]

    /// Every row of every view.
    nonisolated func rows() throws -> Rows {
        try read { views in
            var found: Rows = [:]
            for name in viewNames {
                found[name] = [:]
                var cursor = try views.cursor(on: name)
                var row = try cursor.first()
                while let current = row {
                    found[name]?[[UInt8](current.key)] = [UInt8](current.value)
                    row = try cursor.next()
                }
            }
            return found
        }
    }

    nonisolated var position: Position { get throws { try read { $0.position } } }

    /// Expects that the views are at the end of the log and equal a rebuild.
    func expectRebuildEquals(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let folder = TemporaryFolder()
        let (report, views) = try await buildApart(at: folder.url.path) { _ in }
        #expect(report.position == (try position), sourceLocation: sourceLocation)
        #expect(views.map(\.name) == viewNames, sourceLocation: sourceLocation)
        for view in views {
            #expect(view.difference == nil, "view \(view.name)", sourceLocation: sourceLocation)
        }
    }
}

/// The keys by view whose rows differ.
func changedKeys(_ before: ProjectionGroup.Rows, _ after: ProjectionGroup.Rows) -> [String: Set<[UInt8]>] {
    var changed: [String: Set<[UInt8]>] = [:]
    for name in Set(before.keys).union(after.keys) {
        let (old, new) = (before[name] ?? [:], after[name] ?? [:])
        let keys = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
        if !keys.isEmpty { changed[name] = Set(keys) }
    }
    return changed
}

/// Whether projections are to fail: for the moment at which something breaks, and is fixed.
final class Switch: Sendable {
    private let state = Mutex(false)

    var isOn: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// The values of field 1: one row per entity, and a sum for each value. Fails on the value "poison" if switched on.
struct ByValue: Projection {
    let name = "by-value"
    let version: UInt32 = 1
    var fails: Switch?

    func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink) throws(WireError) {
        guard try record.isPresent() else { return }
        var value: [UInt8] = []
        try record.forEachRegister { register throws(WireError) in
            if register.field == 1 && register.key.isEmpty { value = register.value.map { [UInt8]($0) } ?? [] }
        }
        if fails?.isOn == true && value == Array("poison".utf8) { throw WireError("this value fails on purpose") }
        sink.put([1] + value.prefix(100) + entity.bytes)
    }
}

/// How many present entities have each value and each first letter, and the sums of the lengths.
struct Tally: Projection {
    let name = "tally"
    let version: UInt32 = 1
    var rowKind: RowKind { .accumulating }

    func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink) throws(WireError) {
        guard try record.isPresent() else { return }
        var value: [UInt8]?
        try record.forEachRegister { register throws(WireError) in
            if register.field == 1 && register.key.isEmpty { value = register.value.map { [UInt8]($0) } }
        }
        guard let value else { return }
        sink.add([2] + value.prefix(100), amount: Int128(value.count))
        // The same by first letter, all in one row.
        sink.add([3], part: Array(value.prefix(1)), amount: Int128(value.count))
    }
}

extension Event {
    static func sample(_ verb: Verb, _ id: UUID, _ value: String? = nil) -> Event {
        Event(
            verb: verb, entity: EntityReference(kind: EntityKind(rawValue: 9), id: id),
            changes: value.map { [Change(path: FieldPath(field: 1), value: Array($0.utf8))] } ?? [])
    }
}
