import Events

/// A parameter of a statement, or a value of a row, in PostgreSQL's binary form: no value is ever part of a statement's text.
package enum DatabaseValue: Sendable, Hashable {
    case null
    /// `bigint`: 8 bytes, big-endian.
    case integer(Int64)
    /// `boolean`: 1 byte.
    case boolean(Bool)
    /// `text`, UTF-8.
    case text(String)
    /// `bytea`; or `uuid`, of 16 bytes.
    case bytes([UInt8])
    /// `uuid[]`, of 16 bytes each.
    case uuids([[UInt8]])

    /// Nil for a null.
    var binary: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let number): (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        case .boolean(let flag): [flag ? 1 : 0]
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .uuids(let uuids): Self.array(uuids, ofType: 2950)
        }
    }

    /// One dimension, no nulls, the type of the elements, their number, the first index, and each with its size.
    private static func array(_ elements: [[UInt8]], ofType type: UInt32) -> [UInt8] {
        let head: [UInt32] =
            [elements.isEmpty ? 0 : 1, 0, type] + (elements.isEmpty ? [] : [UInt32(elements.count), 1])
        return head.flatMap(bigEndian) + elements.flatMap { bigEndian(UInt32($0.count)) + $0 }
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    static func integer(_ number: Int) -> DatabaseValue { .integer(Int64(number)) }
    static func integer(_ number: UInt64) -> DatabaseValue { .integer(Int64(clamping: number)) }
}

/// The rows that a statement returned, and how many it changed.
package struct DatabaseRows: Sendable {
    fileprivate let values: [[[UInt8]?]]
    let changed: Int

    init(_ values: [[[UInt8]?]], changed: Int) {
        self.values = values
        self.changed = changed
    }

    var count: Int { values.count }
    var isEmpty: Bool { values.isEmpty }

    subscript(_ index: Int) -> DatabaseRow { DatabaseRow(columns: values[index]) }

    var first: DatabaseRow? { values.first.map(DatabaseRow.init) }

    func map<T>(_ body: (DatabaseRow) throws -> T) rethrows -> [T] {
        try values.map { try body(DatabaseRow(columns: $0)) }
    }
}

/// A row, read by the columns that the statement names. Throws `DatabaseError.damaged` for values of another type.
struct DatabaseRow {
    fileprivate let columns: [[UInt8]?]

    func bytes(_ index: Int) -> [UInt8]? { columns.indices.contains(index) ? columns[index] : nil }

    func needed(_ index: Int) throws(DatabaseError) -> [UInt8] {
        guard let bytes = bytes(index) else { throw Self.unexpected }
        return bytes
    }

    func text(_ index: Int) -> String? { bytes(index).map { String(decoding: $0, as: UTF8.self) } }

    /// A `bigint`, `integer` or `smallint`.
    func integer(_ index: Int) throws(DatabaseError) -> Int64 {
        let bytes = try needed(index)
        guard [2, 4, 8].contains(bytes.count), let first = bytes.first else { throw Self.unexpected }
        let sign: Int64 = first & 0x80 == 0 ? 0 : -1
        return bytes.reduce(sign) { $0 << 8 | Int64($1) }
    }

    func boolean(_ index: Int) throws(DatabaseError) -> Bool { try needed(index) == [1] }

    private static var unexpected: DatabaseError {
        DatabaseError(.damaged, "The database returned a value of another type than the table has.")
    }
}
