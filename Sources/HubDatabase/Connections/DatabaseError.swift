/// The failure of an operation that a database refused, or could not perform.
public struct DatabaseError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for code that decides what to do next.
    public enum Code: String, Sendable, Hashable {
        /// libpq is not on this machine.
        case noLibrary
        /// The address is not one of a database.
        case wrongAddress
        /// There is no connection, or it broke. What was under way may have been done.
        case disconnected
        /// The database took longer than it may. What was under way may have been done.
        case timedOut
        /// All connections of the pool are in use.
        case busy
        /// The database has no room.
        case full
        /// The statement conflicts with a row, or with another transaction.
        case conflict
        /// The user may not do it.
        case denied
        /// The database was made or changed by a newer version of the hub.
        case newerSchema
        /// The database, or its settings, are of no use for a hub.
        case unsuitable
        /// Stored rows are not what was stored.
        case damaged
        /// Anything else; see `state`.
        case failed
    }

    public let code: Code
    /// The five characters that PostgreSQL has for the failure, SQLSTATE; nil if the database said nothing.
    public let state: String?
    /// The fault and its remedy, in words, without the password of the address.
    public let message: String

    public init(_ code: Code, _ message: String, state: String? = nil) {
        self.code = code
        self.state = state
        self.message = message
    }

    public var description: String { state.map { "\(message) (SQLSTATE \($0))" } ?? message }

    /// Whether the same may succeed later without a change by its operator, on another connection.
    public var isTransient: Bool {
        switch code {
        case .disconnected, .timedOut, .busy, .full, .conflict: true
        default: false
        }
    }

    /// Whether the database refuses every statement, and not this one alone.
    var isOfAllJournals: Bool { [.disconnected, .denied, .newerSchema, .unsuitable].contains(code) }

    /// For what a server reports. `PostgreSQL 15 documentation, appendix A` has the classes.
    init(state: String, _ message: String) {
        let code: Code =
            switch state {
            // The statement was cancelled, waited too long for a lock, or the transaction was idle for too long.
            case "57014", "55P03", "25P03": .timedOut
            // The server shuts down, has crashed, starts or is a standby by now.
            case "57P01", "57P02", "57P03", "57P05", "25006": .disconnected
            case "53300": .busy
            case "42501", "28000", "28P01": .denied
            default:
                switch state.prefix(2) {
                case "08": .disconnected
                case "53": .full
                case "23", "40": .conflict
                case "58": .failed
                default: .failed
                }
            }
        self.init(code, "The database says: \(message)", state: state)
    }

    /// Whether the session has lost what this side believes it has: a statement that it prepared, or the types of its results. Nothing
    /// was done, and another connection may do it.
    var isOfTheSession: Bool { state == "26000" || state == "0A000" }

    /// Whether the transaction was rolled back because others were under way, and may succeed if it is repeated.
    var isSerialisation: Bool { state == "40001" || state == "40P01" }
}
