import LMDB

/// The narrow reader through which a log is verified: rows as bytes, nothing interpreted.
///
/// Verification re-derives all else from the rows of `log`, so it shares no code with what wrote them.
public protocol LogRows {
    /// Calls `body` with key and value of every row of a table in the order of keys. The bytes are valid during the call.
    func forEachRow(
        of table: LogTableName, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void) throws

    /// Runs `body` on the rows as they stand at one moment, whoever writes meanwhile.
    func atOneMoment<T>(_ body: (any LogRows) throws -> T) throws -> T
}

extension LogRows {
    /// For rows that nobody writes to.
    public func atOneMoment<T>(_ body: (any LogRows) throws -> T) throws -> T { try body(self) }
}

/// The tables of a log.
public enum LogTableName: String, CaseIterable, Sendable {
    case log, heads, signatures, runs, meta
}

/// The rows of a log's environment.
public struct EnvironmentRows: LogRows {
    private let environment: Environment
    private let tables: [LogTableName: Table]

    /// Opens a log's environment for reading.
    ///
    /// Throws `LMDBError` or, if the tables of a log are not there, `EventLogError.notALog`.
    public init(at folder: String) throws {
        environment = try Environment.open(at: folder, options: Environment.Options(readOnly: true))
        do {
            let found = try environment.tables(LogTableName.allCases.map(\.rawValue))
            tables = Dictionary(uniqueKeysWithValues: zip(LogTableName.allCases, found))
        } catch let error as LMDBError where error.code == .missing {
            throw EventLogError(.notALog, "\(folder) holds no log of trips. Check the path.", cause: error)
        }
    }

    public func forEachRow(
        of table: LogTableName, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try atOneMoment { try $0.forEachRow(of: table, body) }
    }

    public func atOneMoment<T>(_ body: (any LogRows) throws -> T) throws -> T {
        try environment.read { transaction in try body(RowsAtOneMoment(transaction.alias(), tables)) }
    }
}

/// The rows of one read transaction; valid inside the closure that it was made for.
private final class RowsAtOneMoment: LogRows {
    private let transaction: ReadTransaction
    private let tables: [LogTableName: Table]

    init(_ transaction: consuming ReadTransaction, _ tables: [LogTableName: Table]) {
        self.transaction = transaction
        self.tables = tables
    }

    func forEachRow(
        of table: LogTableName, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let table = tables[table] else { return }
        var cursor = try transaction.cursor(on: table)
        var row = try cursor.first()
        while let current = row {
            try body(current.key, current.value)
            row = try cursor.next()
        }
    }
}
