extension PayloadView {
    /// Whether every part of every event can be read: only then do its events count, on every replica alike.
    package var isWellFormed: Bool {
        do {
            try forEachEvent { event, _ throws(WireError) in try event.forEachChange { _ throws(WireError) in } }
            return true
        } catch {
            return false
        }
    }
}
