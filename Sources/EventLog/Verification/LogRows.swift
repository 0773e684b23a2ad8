public import LMDB
import LMDBFormat

/// The narrow reader through which a log is verified: rows as bytes, nothing interpreted.
///
/// Verification re-derives everything else from the rows of `log`, so it shares no code with the writer.
public protocol LogRows {
    /// Calls `body` with key and value of every row of a table in the order of keys. The bytes are valid during the call.
    func forEachRow(
        of table: LogTableName, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void) throws

    /// Faults in the file that holds the rows, although all of them can be read.
    var fileFaults: [String] { get }

    /// Runs `body` on one snapshot of the rows, also while others write.
    func atOneMoment<T>(_ body: (any LogRows) throws -> T) throws -> T
}

extension LogRows {
    public var fileFaults: [String] { [] }

    /// For rows that no process writes to.
    public func atOneMoment<T>(_ body: (any LogRows) throws -> T) throws -> T { try body(self) }
}

/// The tables of a log.
public enum LogTableName: String, CaseIterable, Sendable {
    case log, heads, signatures, runs, meta, erasures, members
}

/// The rows of a log's environment, which may be damaged and written to meanwhile: its structure is checked first, and
/// the checked snapshot is read.
public struct EnvironmentRows: LogRows {
    private let environment: Environment

    /// Opens a log's environment for reading. Throws `StorageError` or `StructureDamage`.
    public init(at folder: String) throws { self.init(try Environment.openUnchecked(at: folder)) }

    /// The rows of an environment that is open.
    public init(_ environment: Environment) { self.environment = environment }

    /// The file with what is left of commits that the medium lost; nil if there is none.
    public var unreadableRecords: String? { environment.unreadableRecords }

    public func forEachRow(
        of table: LogTableName, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try atOneMoment { try $0.forEachRow(of: table, body) }
    }

    /// Throws `StructureDamage`, `StorageError` or, if the tables of a log are missing, `EventLogError` (`.unfinished`
    /// if there are none at all, `.notALog`).
    public func atOneMoment<T>(_ body: (any LogRows) throws -> T) throws -> T {
        try environment.readChecked { snapshot in
            let tables = try snapshot.tables()
            if tables.isEmpty { throw EventLogError.unfinished(environment.path) }
            guard LogTableName.allCases.allSatisfy({ tables.contains($0.rawValue) }) else {
                throw EventLogError.notALog(environment.path)
            }
            return try body(CheckedRows(snapshot: snapshot))
        }
    }
}

/// The rows of one snapshot; valid inside the closure that it was made for.
private struct CheckedRows: LogRows {
    let snapshot: CheckedSnapshot

    var fileFaults: [String] { snapshot.faults.map(\.description) }

    func forEachRow(
        of table: LogTableName, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try snapshot.forEachRow(of: table.rawValue, body)
    }
}
