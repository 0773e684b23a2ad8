public import EventLog
public import Events

/// A view of the log: a pure function from an entity, or from an event, to rows.
///
/// The engine calls it with an entity as it was before a batch of commits and as it is after, and writes the
/// difference of the two sets of rows. So a projection keeps no state, and a rebuild equals the incremental result. It
/// must not depend on the time, on chance, on a locale, on a zone database or on anything local such as positions:
/// replicas compare digests of the rows.
public protocol Projection: Sendable {
    /// The view's name: short, in lower case with hyphens, unique in its group.
    var name: String { get }

    /// Raised whenever the rows for the same log come out otherwise: the view is then rebuilt.
    var version: UInt32 { get }

    /// Whether rows are unique or accumulate.
    var rowKind: RowKind { get }

    /// The rows that an entity contributes. `record` is valid during the call alone.
    ///
    /// A record may have paths and values of any kind, written by newer versions or by a merge: the function is total.
    func rows(of entity: EntityReference, _ record: RecordView, into sink: inout RowSink) throws(WireError)

    /// The rows that an event contributes, whatever became of its entity since.
    func rows(of event: EventView, at place: EventPlace, into sink: inout RowSink)
}

extension Projection {
    public var rowKind: RowKind { .unique }
    public func rows(of entity: EntityReference, _ record: RecordView, into sink: inout RowSink) throws(WireError) {}
    public func rows(of event: EventView, at place: EventPlace, into sink: inout RowSink) {}
}

/// What becomes of rows with the same key.
public enum RowKind: Sendable, Hashable {
    /// A key belongs to one entity or event, and has one value.
    case unique
    /// Contributions under one key are added up.
    case accumulating
}

/// Where an event stands in the history that replicas share.
public struct EventPlace: Sendable, Hashable {
    public let stamp: Stamp
    /// Its commit's number in the line of the stamp's replica.
    public let sequence: SequenceNumber
    /// Its place among the events of its commit.
    public let index: Int

    public init(stamp: Stamp, sequence: SequenceNumber, index: Int) {
        self.stamp = stamp
        self.sequence = sequence
        self.index = index
    }
}

/// Takes the rows of one projection for one entity or event.
public struct RowSink {
    struct UniqueRow {
        var key: [UInt8]
        var value: [UInt8]
    }

    struct Contribution {
        var key: [UInt8]
        var amount: Accumulation
    }

    private(set) var unique: [UniqueRow] = []
    private(set) var contributions: [Contribution] = []

    package init() {}

    /// The rows of either kind, for whoever checks a projection.
    package var rows: [(key: [UInt8], value: [UInt8])] {
        unique.map { ($0.key, $0.value) } + contributions.map { ($0.key, $0.amount.encoded()) }
    }

    /// A unique row. Keys have 1 to 511 bytes.
    public mutating func put(_ key: [UInt8], _ value: [UInt8] = []) {
        unique.append(UniqueRow(key: key, value: value))
    }

    /// Adds to an accumulating row. The row is there as long as its count is not zero.
    public mutating func add(_ key: [UInt8], count: Int64 = 1, amount: Int128 = 0) {
        contributions.append(Contribution(key: key, amount: Accumulation(count: count, amount: amount)))
    }

    package mutating func removeAll() {
        unique.removeAll(keepingCapacity: true)
        contributions.removeAll(keepingCapacity: true)
    }

    mutating func take() -> RowSink {
        defer { removeAll() }
        return self
    }
}

/// The value of an accumulating row.
public struct Accumulation: Hashable, Sendable {
    /// How many contributions there are.
    public var count: Int64
    /// Their sum; exact.
    public var amount: Int128

    public init(count: Int64, amount: Int128) {
        self.count = count
        self.amount = amount
    }

    static let encodedSize = 24

    /// Count and sum, most significant byte first.
    func encoded() -> [UInt8] { count.bigEndianBytes + amount.bigEndianBytes }

    /// From the bytes of a row; nil if they are none.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.encodedSize else { return nil }
        count = bytes.bigEndian(Int64.self)
        amount = bytes.bigEndian(Int128.self, at: 8)
    }

    static func += (a: inout Accumulation, b: Accumulation) {
        a.count += b.count
        a.amount &+= b.amount
    }

    static prefix func - (a: Accumulation) -> Accumulation {
        Accumulation(count: -a.count, amount: 0 &- a.amount)
    }
}
