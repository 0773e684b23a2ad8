import Events

/// A projection as a rebuild knows it: what is asked of it once, and not for every entity or event.
final class FoldedView: Sendable {
    let projection: any Projection
    /// Its place among the projections.
    let place: Int
    let isAccumulating: Bool

    init(_ projection: any Projection, place: Int) {
        self.projection = projection
        self.place = place
        isAccumulating = projection.rowKind == .accumulating
    }
}

/// Calls a projection where it lies: out of an array each call would begin with a copy, or with a count of references that
/// threads share.
struct ViewCall {
    /// The view's place among those that it was made from.
    let index: Int
    /// Not counted: whoever has the calls has the views.
    private let view: Unmanaged<FoldedView>

    fileprivate init(index: Int, _ view: FoldedView) {
        self.index = index
        self.view = .passUnretained(view)
    }

    /// Adds the rows of an entity, and finds fault with what cannot be kept.
    @inline(__always)
    func collect(_ entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink) throws {
        try view._withUnsafeGuaranteedRef {
            try $0.projection.collect(entity, record, into: &sink, isAccumulating: $0.isAccumulating)
        }
    }

    /// Adds the rows of an event, likewise.
    @inline(__always)
    func collect(_ event: borrowing EventView, at place: EventPlace, into sink: inout RowSink) throws {
        try view._withUnsafeGuaranteedRef {
            try $0.projection.collect(event, at: place, into: &sink, isAccumulating: $0.isAccumulating)
        }
    }
}

/// Calls to those of some views that get rows from one source. Whoever has them has the views as well.
struct ViewCalls: ~Copyable {
    // Sound: initialised here, never changed, and freed with it.
    private let calls: UnsafeMutableBufferPointer<ViewCall>

    init(_ views: [FoldedView], where isMeant: (RowSource) -> Bool) {
        let meant = views.indices.filter { isMeant(views[$0].projection.source) }
        calls = .allocate(capacity: meant.count)
        _ = calls.initialize(from: meant.map { ViewCall(index: $0, views[$0]) })
    }

    deinit { calls.deallocate() }

    var count: Int { calls.count }

    subscript(place: Int) -> ViewCall { calls[place] }
}
