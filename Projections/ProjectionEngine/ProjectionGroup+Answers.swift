public import EventLog
import Events

extension ProjectionGroup {
    /// Answers a query from the cache, or runs it and keeps what it answers as long as nothing that it read changes.
    ///
    /// The key names the query with everything that its answer depends on. Answers come with the position up to which
    /// they hold. Throws like `read`.
    @inlinable
    package nonisolated func cached<Value: Sendable>(
        _ key: some Hashable & Sendable, _ query: (borrowing ViewSnapshot) throws -> Value
    ) throws -> (value: Value, position: Position) {
        // Only what is generic is compiled with its caller.
        let key = CacheKey(key)
        if let (answer, position) = try feed.answer(for: key), let kept = answer as? Kept<Value> {
            return (kept.value, position)
        }
        let recorder = ReadRecorder()
        let views = try slot.open(recorder: recorder)
        let answer: Kept<Value>
        do {
            defer { views.finish() }
            answer = Kept(try query(views.snapshot))
        }
        return (answer.value, try keep(answer, key, recorder, views.origin))
    }

    @usableFromInline
    nonisolated func keep(
        _ answer: KeptAnswer, _ key: CacheKey, _ recorder: ReadRecorder, _ origin: ReadOrigin
    ) throws -> Position {
        try feed.keep(answer, for: key, recorder, at: try feed.place(of: origin))
        return origin.position
    }

    /// How the cache of decoded answers fares.
    public nonisolated var cacheStatistics: CacheStatistics { feed.statistics }

    /// What a query read, and when: to ask later whether its answer may have changed.
    package struct Reading: Sendable {
        let readSet: ReadSet
        var place: ChangeFeed.Place
    }

    /// Runs a query and takes note of what it reads. Throws like `read`.
    package nonisolated func reading<Value>(
        _ query: (borrowing ViewSnapshot) throws -> Value
    ) throws -> (Value, Reading) {
        let recorder = ReadRecorder()
        let (value, origin) = try slot.read(recorder: recorder) { views in (try query(views), views.origin) }
        return (value, Reading(readSet: recorder.readSet, place: try feed.place(of: origin)))
    }

    /// Whether something that a query read may have changed since; if not, that is noted, so that the next look begins
    /// here.
    package nonisolated func hasChanged(_ reading: inout Reading) throws -> Bool {
        let (hasChanged, place) = try feed.hasChanged(reading.readSet, since: reading.place)
        if !hasChanged { reading.place = place }
        return hasChanged
    }
}

extension ViewSnapshot {
    var origin: ReadOrigin { ReadOrigin(generation: generation.folder.path, position: position) }
}
