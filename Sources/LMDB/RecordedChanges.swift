internal import LMDBLibrary

/// The changes of the current write transaction, as bytes from which it can be repeated.
///
/// Format: <doc:WriteAheadFile>, "changes".
///
/// Guarded by the writer turn.
final class RecordedChanges {
    /// Larger transactions are not recorded: writing them twice takes longer than it saves.
    static let largest = 128 << 10

    private static let put: UInt8 = 1
    private static let delete: UInt8 = 2

    /// The changes, after `reserved` bytes that belong to the frame.
    private(set) var bytes: [UInt8] = []
    /// Whether every change of the transaction is recorded.
    private(set) var isReplayable = true
    private let reserved: Int

    init(reserving reserved: Int) { self.reserved = reserved }

    var isEmpty: Bool { bytes.count == reserved }

    /// Bytes of the changes alone.
    var count: Int { bytes.count - reserved }

    /// Starts over for a new transaction.
    func begin() {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: repeatElement(0, count: reserved))
        isReplayable = true
    }

    /// The transaction makes a change that cannot be repeated from a record.
    func markNotReplayable() {
        isReplayable = false
        bytes.removeLast(count)
    }

    /// Records that a row is put whose value comes in one or two parts; returns the argument for `truncate`.
    func put(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
        _ rest: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0), in table: Table
    ) -> Int {
        let start = bytes.count
        guard begin(Self.put, key, table, and: value.count + rest.count) else { return start }
        append(UInt32(truncatingIfNeeded: value.count + rest.count))
        bytes.append(contentsOf: value)
        bytes.append(contentsOf: rest)
        return start
    }

    /// Records that a row is removed; returns the argument for `truncate`.
    func delete(_ key: UnsafeRawBufferPointer, in table: Table) -> Int {
        let start = bytes.count
        _ = begin(Self.delete, key, table, and: 0)
        return start
    }

    /// Drops the last record: its change failed.
    func truncate(to start: Int) { if isReplayable { bytes.removeLast(bytes.count - start) } }

    private func begin(_ kind: UInt8, _ key: UnsafeRawBufferPointer, _ table: Table, and more: Int) -> Bool {
        guard isReplayable else { return false }
        let name = table.name.utf8
        guard name.count <= UInt8.max, count + 10 + name.count + key.count + more <= Self.largest else {
            markNotReplayable()
            return false
        }
        bytes.append(kind)
        bytes.append(UInt8(name.count))
        bytes.append(contentsOf: name)
        append(UInt32(truncatingIfNeeded: key.count))
        bytes.append(contentsOf: key)
        return true
    }

    private func append(_ number: UInt32) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Fills the reserved bytes.
    func withReserved(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
        bytes.withUnsafeMutableBytes { body(UnsafeMutableRawBufferPointer(rebasing: $0[..<reserved])) }
    }

    /// Pads with zeros to a multiple of `multiple` bytes, for the medium; no change may be added after that.
    func pad(to multiple: Int) {
        // At once: a byte at a time took a fiftieth of the time of all tests, which are not optimised.
        bytes += Array(repeating: 0, count: (multiple - bytes.count % multiple) % multiple)
    }
}

/// One change, read back.
struct RecordedChange {
    let table: String
    let key: UnsafeRawBufferPointer
    /// Nil if the row is removed.
    let value: UnsafeRawBufferPointer?

    /// The changes in some bytes; nil if the bytes are malformed. Valid as long as the bytes are.
    static func all(in bytes: UnsafeRawBufferPointer) -> [RecordedChange]? {
        var changes: [RecordedChange] = []
        var rest = bytes[...]
        func take(_ count: Int) -> UnsafeRawBufferPointer? {
            guard count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
        }
        func sized() -> UnsafeRawBufferPointer? {
            take(4).flatMap { take(Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)))) }
        }
        while !rest.isEmpty {
            guard let kind = take(1)?[0], let length = take(1)?[0], let name = take(Int(length)), let key = sized()
            else {
                return nil
            }
            let table = String(decoding: name, as: UTF8.self)
            switch kind {
            case 1:
                guard let value = sized() else { return nil }
                changes.append(RecordedChange(table: table, key: key, value: value))
            case 2: changes.append(RecordedChange(table: table, key: key, value: nil))
            default: return nil
            }
        }
        return changes
    }
}
