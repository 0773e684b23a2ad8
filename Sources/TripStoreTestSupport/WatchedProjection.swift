import EventLog
import Events
import Foundation
import ProjectionEngine
import Synchronization

/// A projection that is called twice, and once more with unknown fields, at each call.
final class WatchedProjection: Projection {
    private let base: any Projection
    private let notes = Mutex<(impurities: Set<String>, dependence: Set<String>)>(([], []))

    init(_ base: any Projection) { self.base = base }

    var name: String { base.name }
    var version: UInt32 { base.version }
    var rowKind: RowKind { base.rowKind }
    var keysBeginWithEntity: Bool { base.keysBeginWithEntity }
    // Called for everything, so that rows show that the projection says it does not have.
    var source: RowSource { .entitiesAndEvents }

    /// How the rows of one entity differed between two calls.
    var impurities: [String] { notes.withLock { $0.impurities.sorted() } }
    /// How they differed once there were unknown fields.
    var unknownDependence: [String] { notes.withLock { $0.dependence.sorted() } }

    func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink) throws(WireError) {
        let before = sink.rowCount
        try base.rows(of: entity, record, into: &sink)
        let first = try rows(entity, record)
        if base.source == .events && !first.isEmpty {
            notes.withLock {
                _ = $0.impurities.insert("entity \(entity.id.uuidString) gave rows, which are said to come from events")
            }
        }
        let second = try rows(entity, record)
        if !same(first, second) || !same(first, sink.contents(from: before)) {
            notes.withLock {
                _ = $0.impurities.insert("entity \(entity.id.uuidString) gave other rows the second time")
            }
            return
        }
        let third = try rows(entity, Self.extended(EntityRecord(record)))
        if !same(first, third) {
            notes.withLock {
                _ = $0.dependence.insert("entity \(entity.id.uuidString) gave other rows with fields that nobody knows")
            }
        }
    }

    func rows(of event: borrowing EventView, at position: EventPosition, into sink: inout RowSink) {
        let before = sink.rowCount
        base.rows(of: event, at: position, into: &sink)
        if base.source == .entities && sink.rowCount > before {
            let id = event.entity.id.uuidString
            notes.withLock {
                _ = $0.impurities.insert("an event of entity \(id) gave rows, which are said to come from entities")
            }
        }
        var again = RowSink()
        base.rows(of: event, at: position, into: &again)
        if !same(again.contents(), sink.contents(from: before)) {
            let id = event.entity.id.uuidString
            notes.withLock { _ = $0.impurities.insert("an event of entity \(id) gave other rows the second time") }
        }
    }

    /// A record with unknown fields as well.
    private static func extended(_ record: EntityRecord) -> EntityRecord {
        let stamp = record.newest ?? Stamp(timestamp: .zero, replica: ReplicaID(publicKey: []), hash: .zero)
        let unknown: [(path: FieldPath, value: [UInt8])] = [
            (FieldPath(field: 60_001), [1, 2, 3]), (FieldPath(field: 60_002, key: [9]), [4]),
        ]
        let paths = Set(unknown.map(\.path))
        let registers =
            record.registers.filter { !paths.contains($0.path) }
            + unknown.map { EntityRecord.Register(path: $0.path, stamp: stamp, value: $0.value) }
        return EntityRecord(
            version: record.version.adding(stamp, index: 0), creation: record.creation,
            registers: registers.sorted { $0.path < $1.path })
    }

    private typealias Rows = [(key: [UInt8], value: [UInt8])]

    private func rows(_ entity: EntityReference, _ record: borrowing RecordView) throws(WireError) -> Rows {
        var sink = RowSink()
        try base.rows(of: entity, record, into: &sink)
        return sink.contents()
    }

    private func rows(_ entity: EntityReference, _ record: EntityRecord) throws(WireError) -> Rows {
        let bytes = record.encoded()
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(WireError) in try rows(entity, RecordView(bytes)) }
        }
        return try result.get()
    }

    private func same(_ a: Rows, _ b: Rows) -> Bool { a.elementsEqual(b) { $0.key == $1.key && $0.value == $1.value } }
}
