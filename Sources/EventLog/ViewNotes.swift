/// Where a log notes which views of it serve, and what keeps them from following it.
package enum ViewNotes: Sendable {
    /// Nowhere: views are read as they are found.
    case none
    /// In the log's environment, for all who open it.
    case inLog
    /// In memory, for views that nobody else sees.
    case inMemory
}

extension Log {
    /// Whether views of this log are built and brought up to date by who has it open, though it be opened for reading.
    package var keepsViews: Bool { viewNotes != .none }

    /// Whether they are built where all who open the log find them.
    package var sharesViews: Bool { viewNotes == .inLog }

    /// Writes a note of the views, durably unless it is kept in memory; nil removes it. Waits, too.
    package func setViewNote(_ name: String, _ value: [UInt8]?) throws {
        switch viewNotes {
        case .none: break
        case .inLog: try write(note: name, value)
        case .inMemory: try keep(note: name, value)
        }
    }

    /// The same, and answers what it held before, in one step. Waits, too.
    package func exchangeViewNote(_ name: String, _ value: [UInt8]) throws -> [UInt8]? {
        if viewNotes == .inLog { return try exchange(note: name, value) }
        let previous = try note(name)
        try setViewNote(name, value)
        return previous
    }
}
