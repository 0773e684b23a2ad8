import Events

/// A projection with the properties that a rebuild reads once, not for every entity or event.
final class FoldedView: Sendable {
    let projection: any Projection
    /// Its index among the projections.
    let index: Int
    let isAccumulating: Bool

    init(_ projection: any Projection, index: Int) {
        self.projection = projection
        self.index = index
        isAccumulating = projection.rowKind == .accumulating
    }
}

/// Calls a projection without a copy or a reference count: called out of an array, each call would begin with one, and
/// threads would contend for the count.
struct ViewCall {
    /// The view's index in the array that the call was made from.
    let index: Int
    /// Unowned: the owner of the calls also keeps the views.
    private let view: Unmanaged<FoldedView>

    fileprivate init(index: Int, _ view: FoldedView) {
        self.index = index
        self.view = .passUnretained(view)
    }

    /// Adds the rows of an entity; throws `ProjectionFault` for invalid ones.
    @inline(__always)
    func collect(_ entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink) throws {
        try view._withUnsafeGuaranteedRef {
            try $0.projection.collect(entity, record, into: &sink, isAccumulating: $0.isAccumulating)
        }
    }

    /// Adds the rows of an event; throws likewise.
    @inline(__always)
    func collect(_ event: borrowing EventView, at position: EventPosition, into sink: inout RowSink) throws {
        try view._withUnsafeGuaranteedRef {
            try $0.projection.collect(event, at: position, into: &sink, isAccumulating: $0.isAccumulating)
        }
    }
}

/// Calls to the views that make rows from one source. The owner must keep the views.
struct ViewCalls: ~Copyable {
    // Sound: initialised in `init`, never changed, freed in `deinit`.
    private let calls: UnsafeMutableBufferPointer<ViewCall>

    init(_ views: [FoldedView], where isIncluded: (RowSource) -> Bool) {
        let included = views.indices.filter { isIncluded(views[$0].projection.source) }
        calls = .allocate(capacity: included.count)
        _ = calls.initialize(from: included.map { ViewCall(index: $0, views[$0]) })
    }

    deinit { calls.deallocate() }

    var count: Int { calls.count }

    subscript(index: Int) -> ViewCall { calls[index] }
}
