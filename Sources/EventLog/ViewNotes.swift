/// Where a log records which views of it serve, and why views may stay behind it.
package enum ViewNotes: Sendable {
    /// Nowhere: views are read as they are found.
    case none
    /// In the log's environment, for every process that opens it.
    case inLog
    /// In memory, for private views.
    case inMemory
}

extension Log {
    /// Whether the process that has this log open builds and updates its views, even if it opened the log for reading.
    package var keepsViews: Bool { viewNotes != .none }

    /// Whether they are built where every process that opens the log finds them.
    package var sharesViews: Bool { viewNotes == .inLog }

    /// Writes a note of the views, durably unless it is kept in memory; nil removes it. Blocks.
    package func setViewNote(_ name: String, _ value: [UInt8]?) throws {
        switch viewNotes {
        case .none: break
        case .inLog: try write(note: name, value)
        case .inMemory: try keep(note: name, value)
        }
    }

    /// The same, and returns the previous value, atomically. Blocks.
    package func exchangeViewNote(_ name: String, _ value: [UInt8]) throws -> [UInt8]? {
        if viewNotes == .inLog { return try exchange(note: name, value) }
        let previous = try note(name)
        try setViewNote(name, value)
        return previous
    }
}
