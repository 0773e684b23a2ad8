package import EventLog
import Events

extension ProjectionGroup {
    /// Statistics of the cache of decoded results.
    public nonisolated var cacheStatistics: CacheStatistics { feed.statistics }

    /// What a query read, and when: to ask later whether its result may have changed.
    package struct Reading: Sendable {
        let readSet: ReadSet
        var cursor: ChangeFeed.Cursor
    }

    /// Runs a query and records what it reads. Throws like `read`.
    ///
    /// `log` is the log snapshot that the query reads as well. It was opened first, so the views may be
    /// further: changes to them beyond its end count as changes since, and the query is run again.
    package nonisolated func reading<Value>(
        beside log: borrowing LogSnapshot, _ query: (borrowing ViewSnapshot) throws -> Value
    ) throws -> (Value, Reading) {
        let recorder = ReadRecorder()
        let (value, origin) = try slot.read(beside: log, recorder: recorder) { (try query($0), $0.origin) }
        var cursor = try feed.cursor(of: origin, beside: log)
        cursor.position = min(cursor.position, try log.lastPosition())
        return (value, Reading(readSet: recorder.readSet, cursor: cursor))
    }

    /// Whether anything that a query read may have changed since; if not, that is recorded, so that the next check
    /// begins here.
    package nonisolated func hasChanged(_ reading: inout Reading) throws -> Bool {
        let (hasChanged, cursor) = try feed.hasChanged(reading.readSet, since: reading.cursor)
        if !hasChanged { reading.cursor = cursor }
        return hasChanged
    }

    /// Returns a changed key that a query has read, for people who watch; nil if none changed, which it records as `hasChanged` does.
    package nonisolated func changedKey(since reading: inout Reading) throws -> ChangedKey? {
        let (key, cursor) = try feed.changedKey(of: reading.readSet, since: reading.cursor)
        if key == nil { reading.cursor = cursor }
        return key
    }
}

/// A key of a view that changed.
package struct ChangedKey: Sendable, Hashable {
    /// The view's name; empty if so much changed that it is not kept what.
    package let view: String
    package let key: [UInt8]
}

extension ViewSnapshot {
    var origin: ReadOrigin { ReadOrigin(generation: generation.folder.path, position: position) }
}
