import LMDB
import Synchronization

/// Notes that are not worth a sync of their own: they are written with the next transaction that is.
///
/// Each remembers what stood in its place when it was made. If somebody has written there since, what they wrote counts.
final class LaterNotes: Sendable {
    private struct Note: Equatable {
        let base: [UInt8]?
        let value: [UInt8]
    }

    private let notes = Mutex<[[UInt8]: Note]>([:])

    var isEmpty: Bool { notes.withLock { $0.isEmpty } }

    /// Keeps a note; `stored` is what the log has under its key.
    func set(_ key: [UInt8], _ value: [UInt8], stored: [UInt8]?) {
        notes.withLock { $0[key] = Note(base: stored, value: value) }
    }

    func forget(_ key: [UInt8]) { notes.withLock { $0[key] = nil } }

    /// What counts under a key of which the log has a value, or nil.
    func value(_ key: [UInt8], stored: [UInt8]?) -> [UInt8]? {
        guard let note = notes.withLock({ $0[key] }), note.base == stored else { return stored }
        return note.value
    }

    /// Writes all of them, and answers what to call once the transaction is durable; nil if there are none.
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
