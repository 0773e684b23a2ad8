import CPostgreSQL
import Foundation

/// One connection to a PostgreSQL server. Calls block: they are made on a thread of the pool, or of a log's writer.
///
/// `@unchecked Sendable`: it is used by one thread at a time, which the pool ensures.
package final class DatabaseConnection: @unchecked Sendable {
    private let library: tripstore_libpq
    private let handle: OpaquePointer
    /// What the server sent beside results: written by libpq during this object's calls.
    private let notices: UnsafeMutablePointer<tripstore_pg_notices>
    private var prepared: [String: String] = [:]
    /// How long the server may take to answer.
    private let patience: Duration
    /// Whether it may be used again.
    private(set) var isUsable = true

    /// Connects. Throws `DatabaseError`: `.disconnected`, `.denied`, `.wrongAddress`.
    package init(_ address: DatabaseAddress, _ library: ClientLibrary, patience: Duration) throws(DatabaseError) {
        var calls = library.calls
        try Self.check(address, calls)
        self.library = calls
        self.patience = patience
        // What precedes the address can be changed by it.
        let parameters: [(String, String)] = [
            ("connect_timeout", "\(max(2, Int(patience.components.seconds)))"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(patience.components.seconds * 1000)"), ("application_name", "tripstore"),
            // Of several hosts the primary.
            ("target_session_attrs", "read-write"),
            ("dbname", address.url), ("client_encoding", "UTF8"),
        ]
        let handle = Self.withCStrings(parameters.map(\.0)) { keywords in
            Self.withCStrings(parameters.map(\.1)) { values in calls.connect(keywords, values, 1) }
        }
        guard let handle else { throw DatabaseError(.failed, "libpq has no memory for a connection.") }
        self.handle = handle
        notices = .allocate(capacity: 1)
        notices.initialize(to: tripstore_pg_notices())
        // libpq would print them on standard error.
        tripstore_count_notices(&calls, handle, notices)
        guard calls.status(handle) == Int32(TRIPSTORE_PG_CONNECTION_OK) else {
            let words = Self.text(calls.error_message(handle))
            isUsable = false
            throw DatabaseError(
                words.contains("authentication failed") || words.contains("no pg_hba.conf entry")
                    ? .denied : .disconnected,
                "There is no connection to \(address): \(address.withoutPassword(words))")
        }
        // So that sending has a deadline as well.
        guard calls.set_nonblocking(handle, 1) == 0 else { throw broken() }
    }

    deinit {
        library.finish(handle)
        notices.deallocate()
    }

    /// Throws `.wrongAddress` if libpq cannot read an address. What it says of it may hold the password.
    private static func check(_ address: DatabaseAddress, _ calls: tripstore_libpq) throws(DatabaseError) {
        var message: UnsafeMutablePointer<CChar>?
        let options = calls.parse_address(address.url, &message)
        defer {
            if let options { calls.free_options(options) }
            if let message { calls.free_memory(message) }
        }
        guard options == nil else { return }
        throw DatabaseError(
            .wrongAddress,
            "libpq cannot read the address of the database, which is postgresql://USER@HOST:PORT/NAME. \(DatabaseAddress.withheld)"
        )
    }

    /// The version of the server: 150012 for 15.12.
    var serverVersion: Int { Int(library.server_version(handle)) }

    var isIdle: Bool { library.transaction_status(handle) == Int32(TRIPSTORE_PG_IDLE) }

    // MARK: Statements

    /// Runs a statement, prepared the first time. The text is a constant of the program.
    ///
    /// Throws `DatabaseError`. After `.disconnected` and `.timedOut` the connection is of no use any more, and the statement may have
    /// been carried out.
    @discardableResult
    package func run(_ statement: String, _ parameters: [DatabaseValue] = []) throws(DatabaseError) -> DatabaseRows {
        let name: String
        if let known = prepared[statement] {
            name = known
        } else {
            name = "s\(prepared.count)"
            guard library.send_prepare(handle, name, statement, 0, nil) == 1 else { throw broken() }
            _ = try results()
            prepared[statement] = name
        }
        let sent = Self.withValues(parameters) { count, values, lengths, formats in
            library.send_prepared(handle, name, count, values, lengths, formats, 1)
        }
        guard sent == 1 else { throw broken() }
        return try results()
    }

    /// Runs a statement that is not prepared: one that is used once, or has a text of its own each time.
    @discardableResult
    func runOnce(_ statement: String, _ parameters: [DatabaseValue] = []) throws(DatabaseError) -> DatabaseRows {
        let sent = Self.withValues(parameters) { count, values, lengths, formats in
            library.send_query(handle, statement, count, nil, values, lengths, formats, 1)
        }
        guard sent == 1 else { throw broken() }
        return try results()
    }

    /// Runs `body` in a transaction, which is rolled back if it throws.
    ///
    /// A failure of the commit itself leaves open whether it happened: `.disconnected` or `.timedOut`.
    package func transaction<T>(_ body: () throws -> T) throws -> T {
        try run("BEGIN")
        let value: T
        do { value = try body() } catch {
            // Without a connection the server rolls back by itself.
            if isUsable { _ = try? run("ROLLBACK") }
            throw error
        }
        try runCommitting("COMMIT")
        return value
    }

    /// Runs a statement that commits: `COMMIT`, or one outside of a transaction that writes.
    ///
    /// A server that gives up to wait for its standbys says so by a warning alone, and the commit succeeds on it: then this throws
    /// `.timedOut`.
    @discardableResult
    func runCommitting(_ statement: String, _ parameters: [DatabaseValue] = []) throws(DatabaseError) -> DatabaseRows {
        let before = notices.pointee.warnings
        let rows = try run(statement, parameters)
        guard notices.pointee.warnings == before else {
            throw DatabaseError(
                .timedOut,
                "The database warned while it committed: its standbys may not have what it was asked to store. It may have been done."
            )
        }
        return rows
    }

    /// All results of what was sent, until the server is ready again: the rows of the last.
    private func results() throws(DatabaseError) -> DatabaseRows {
        var found = DatabaseRows([], changed: 0)
        var failure: DatabaseError?
        let deadline = ContinuousClock.now + patience
        try flush(until: deadline)
        while true {
            while library.is_busy(handle) == 1 {
                guard try wait(for: POLLIN, until: deadline) else { throw late() }
                guard library.consume_input(handle) == 1 else { throw broken() }
            }
            guard let result = library.get_result(handle) else { break }
            defer { library.clear(result) }
            let status = library.result_status(result)
            if status == Int32(TRIPSTORE_PG_ROWS_OK) || status == Int32(TRIPSTORE_PG_COMMAND_OK) {
                found = rows(of: result)
            } else {
                failure = failure ?? error(of: result)
            }
        }
        if let failure {
            // The next call would find out: a server that ends says so before it closes the connection.
            let isOpen = library.status(handle) == Int32(TRIPSTORE_PG_CONNECTION_OK)
            if failure.code == .disconnected || failure.isOfTheSession || !isOpen { isUsable = false }
            throw isOpen ? failure : DatabaseError(.disconnected, failure.message, state: failure.state)
        }
        return found
    }

    /// Sends what libpq holds. It is read meanwhile, because a server that cannot send may not receive either.
    private func flush(until deadline: ContinuousClock.Instant) throws(DatabaseError) {
        while true {
            switch library.flush(handle) {
            case 0: return
            case 1:
                guard try wait(for: POLLIN | POLLOUT, until: deadline) else { throw late() }
                guard library.consume_input(handle) == 1 else { throw broken() }
            default: throw broken()
            }
        }
    }

    private func late() -> DatabaseError {
        isUsable = false
        return DatabaseError(
            .timedOut, "The database did not answer within \(patience). What it was asked may have been done.")
    }

    private func rows(of result: OpaquePointer) -> DatabaseRows {
        let (rows, columns) = (library.row_count(result), library.column_count(result))
        let values = (0..<max(rows, 0)).map { row in
            (0..<max(columns, 0)).map { column -> [UInt8]? in
                guard library.is_null(result, row, column) == 0, let start = library.value(result, row, column) else {
                    return nil
                }
                return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(library.length(result, row, column))))
            }
        }
        return DatabaseRows(values, changed: Int(Self.text(library.affected_rows(result))) ?? 0)
    }

    private func error(of result: OpaquePointer) -> DatabaseError {
        func field(_ name: Int) -> String? {
            library.result_field(result, Int32(name)).map { String(cString: $0) }
        }
        let words = [field(TRIPSTORE_PG_MESSAGE), field(TRIPSTORE_PG_DETAIL)].compactMap(\.self)
        guard let state = field(TRIPSTORE_PG_SQLSTATE) else {
            isUsable = false
            return DatabaseError(
                .disconnected, "The connection to the database broke: \(Self.text(library.error_message(handle)))")
        }
        return DatabaseError(state: state, words.joined(separator: " "))
    }

    private func broken() -> DatabaseError {
        isUsable = false
        return DatabaseError(
            .disconnected, "The connection to the database broke: \(Self.text(library.error_message(handle)))")
    }

    // MARK: Notifications

    /// The payloads of notifications that arrive until a time, at once if there are some already.
    func notifications(within time: Duration) throws(DatabaseError) -> [String] {
        let deadline = ContinuousClock.now + time
        while true {
            guard library.consume_input(handle) == 1 else { throw broken() }
            var found: [String] = []
            while let notification = library.notifies(handle) {
                defer { library.free_memory(notification) }
                found.append(Self.text(notification.pointee.payload))
            }
            guard found.isEmpty, try wait(for: POLLIN, until: deadline) else { return found }
        }
    }

    /// Returns false if nothing arrives in time, or can be sent.
    private func wait(for events: Int32, until deadline: ContinuousClock.Instant) throws(DatabaseError) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            let socket = library.socket(handle)
            guard socket >= 0 else { throw broken() }
            var descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
            let milliseconds = min(
                left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000, 60_000)
            let count = poll(&descriptor, 1, Int32(milliseconds) + 1)
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { throw broken() }
        }
    }

    // MARK: C

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
    }

    private static func withCStrings<T>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T
    ) -> T {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }

    private static func withValues<T>(
        _ parameters: [DatabaseValue],
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> T
    ) -> T {
        let binaries = parameters.map(\.binary)
        // One buffer, so that the pointers stay valid: `bytea` values of some megabytes are copied once more.
        var joined: [UInt8] = []
        joined.reserveCapacity(binaries.reduce(1) { $0 + ($1?.count ?? 0) })
        for case let binary? in binaries { joined += binary }
        joined.append(0)
        return joined.withUnsafeBytes { raw in
            let start = raw.baseAddress?.assumingMemoryBound(to: CChar.self)
            var offset = 0
            var pointers: [UnsafePointer<CChar>?] = []
            for binary in binaries {
                pointers.append(binary == nil ? nil : start.map { $0 + offset })
                offset += binary?.count ?? 0
            }
            let lengths = binaries.map { Int32(clamping: $0?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: binaries.count)
            return body(Int32(clamping: parameters.count), pointers, lengths, formats)
        }
    }
}
