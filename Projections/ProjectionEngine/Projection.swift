public import EventLog
public import Events

/// A view of the log: a pure function from an entity, or from an event, to rows.
///
/// The engine calls it with an entity before and after a batch of commits, and writes the difference of the two sets of
/// rows. So a projection keeps no state, and a rebuild equals the incremental result. It must not depend on time,
/// randomness, a locale, a zone database or anything local such as positions: replicas compare digests of the rows.
public protocol Projection: Sendable {
    /// The view's name: short, in lower case with hyphens, unique in its group.
    var name: String { get }

    /// Raised whenever the rows for the same log change: the view is then rebuilt.
    var version: UInt32 { get }

    /// The part of an app's schema that the view reads: the view is rebuilt whenever this changes. Empty if it reads
    /// none.
    var schema: String { get }

    /// Whether rows are unique or accumulate.
    var rowKind: RowKind { get }

    /// The source of the view's rows: the engine skips calls that produce none.
    var source: RowSource { get }

    /// Whether every key begins with the entity's own bytes (`EntityReference.bytes`): a rebuild then writes the rows
    /// in the order of its fold and need not sort them. Only for unique rows.
    var keysBeginWithEntity: Bool { get }

    /// The rows that an entity contributes. The record is borrowed: it cannot be kept beyond the call.
    ///
    /// A record may have paths and values of any kind, written by newer versions or by a merge: the function is total.
    func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink) throws(WireError)

    /// Whether an entity has the same rows before and after a change, as far as that is seen without making them: then they are not made.
    /// False if it is not seen.
    func haveSameRows(
        _ before: borrowing RecordView, _ after: borrowing RecordView, of entity: EntityReference
    ) throws(WireError) -> Bool

    /// The rows that an event contributes, whatever happens to its entity later. The event is borrowed, too.
    func rows(of event: borrowing EventView, at position: EventPosition, into sink: inout RowSink)
}

extension Projection {
    public var schema: String { "" }
    public var rowKind: RowKind { .unique }
    public var keysBeginWithEntity: Bool { false }
    public var source: RowSource { .entitiesAndEvents }
    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {}
    public func haveSameRows(
        _ before: borrowing RecordView, _ after: borrowing RecordView, of entity: EntityReference
    ) throws(WireError) -> Bool { false }
    public func rows(of event: borrowing EventView, at position: EventPosition, into sink: inout RowSink) {}
}

/// The source of a view's rows: entities, events or both.
public enum RowSource: Sendable, Hashable {
    /// `rows(of:_:into:)` alone produces rows.
    case entities
    /// `rows(of:at:into:)` alone produces rows.
    case events
    case entitiesAndEvents
}

/// How rows with the same key combine.
public enum RowKind: Sendable, Hashable {
    /// A key belongs to one entity or event, and has one value.
    case unique
    /// Contributions under one key are added up.
    case accumulating
}

/// The position of an event in the history that replicas share.
public struct EventPosition: Sendable, Hashable {
    /// The position of its writes in the merge order.
    public let stamp: Stamp
    /// Its commit's number in the line of the stamp's replica.
    public let sequence: SequenceNumber
    /// Its index among the events of its commit.
    public let index: Int

    public init(stamp: Stamp, sequence: SequenceNumber, index: Int) {
        self.stamp = stamp
        self.sequence = sequence
        self.index = index
    }
}
