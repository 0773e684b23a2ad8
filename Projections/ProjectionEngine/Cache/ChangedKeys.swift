import Events

/// Collects the keys of the rows that a batch changed, view by view, in the encoding that `Invalidation` reads; unless
/// they are too many to name.
struct ChangedKeys {
    private var views = WireWriter(reservingCapacity: 512)
    private var current = WireWriter(reservingCapacity: 256)
    private var isTooMany = false

    /// The bytes of an `Invalidation`.
    var encoded: [UInt8] {
        if isTooMany { return [] }
        return views.count == 0 ? Invalidation.nothing : views.bytes
    }

    /// Adds a key of the current view. Keys come in order, each once.
    mutating func add(_ key: UnsafeRawBufferPointer) {
        guard !isTooMany else { return }
        current.bytes(2, key)
        isTooMany = views.count + current.count > Invalidation.sizeLimit
    }

    /// Says of everything that it changed.
    mutating func addEverything() { isTooMany = true }

    /// Ends a view.
    mutating func finish(_ view: String) {
        guard current.count > 0, !isTooMany else { return }
        let keys = current.bytes
        views.message(1) {
            $0.string(1, view)
            $0.raw(keys)
        }
        current.removeAll()
    }
}
