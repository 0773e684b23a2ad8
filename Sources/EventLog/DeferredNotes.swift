import LMDB
import Synchronization

/// Notes that need no sync of their own: they are flushed with the next transaction that syncs.
///
/// Each remembers the stored value at the time it was set. If another process has written there since, its value
/// counts.
final class DeferredNotes: Sendable {
    private struct Note: Equatable {
        let base: [UInt8]?
        let value: [UInt8]
    }

    private let notes = Mutex<[[UInt8]: Note]>([:])

    var isEmpty: Bool { notes.withLock { $0.isEmpty } }

    /// Sets a note; `stored` is the log's value for its key.
    func set(_ key: [UInt8], _ value: [UInt8], stored: [UInt8]?) {
        notes.withLock { $0[key] = Note(base: stored, value: value) }
    }

    func forget(_ key: [UInt8]) { notes.withLock { $0[key] = nil } }

    /// The current value for a key of which the log has `stored`, or nil.
    func value(_ key: [UInt8], stored: [UInt8]?) -> [UInt8]? {
        guard let note = notes.withLock({ $0[key] }), note.base == stored else { return stored }
        return note.value
    }

    /// Writes all of them, and returns a closure to call once the transaction is durable; nil if there are none.
    func write(
        _ transaction: borrowing WriteTransaction, _ tables: LogTables
    ) throws -> (@Sendable () -> Void)? {
        let pending = notes.withLock { $0 }
        guard !pending.isEmpty else { return nil }
        for (key, note) in pending {
            let stored = try transaction.reading.get(key, in: tables.meta).map { [UInt8]($0) }
            if stored == note.base { try transaction.put(key, note.value, in: tables.meta) }
        }
        return { [self] in
            notes.withLock { notes in
                for (key, note) in pending where notes[key] == note { notes[key] = nil }
            }
        }
    }
}
