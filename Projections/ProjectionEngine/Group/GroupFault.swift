public import EventLog
public import Events
package import Foundation

/// Why a group of views does not follow the log.
public struct GroupFault: ExplainedError, Sendable, Hashable {
    /// The description of the fault, and what to do about it.
    public let description: String
    /// The view whose projection failed; nil if it was the medium or the log.
    public let view: String?
    /// The commit that it failed at, if known.
    public let position: Position?
    /// The time before which the views are not rebuilt automatically; nil if no rebuild is waiting.
    package let nextAttempt: Date?

    /// The whole delay, in milliseconds: the next one is longer.
    let delay: Int64?
    /// Bytes that the medium had left, if there was no room.
    let room: UInt64?

    /// With the delay that a rebuild has to wait for, if any.
    init(_ error: any Error, _ delay: RebuildDelay = RebuildDelay(), at now: Int64 = 0) {
        let fault = error as? ProjectionFault
        description = "\(error)"
        let next = delay.next(at: now)
        nextAttempt = next.map(Self.date)
        self.delay = next == nil ? nil : delay.length
        room = next == nil ? nil : delay.room
        view = fault?.view
        position = fault?.position
    }

    private static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// `nextAttempt` in milliseconds since 1970.
    var nextAttemptMilliseconds: Int64? {
        // A damaged note may hold any number.
        nextAttempt.flatMap { Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded()) }
    }

    // MARK: Stored form, beside the log

    private static let prefix = "fault/"

    static func note(_ group: String) -> String { prefix + group }

    func encoded() -> [UInt8] {
        var writer = WireWriter()
        writer.string(1, description)
        if let view { writer.string(2, view) }
        if let position { writer.varint(3, position.rawValue) }
        if let nextAttemptMilliseconds { writer.signed(4, nextAttemptMilliseconds) }
        if let delay { writer.signed(5, delay) }
        if let room { writer.varint(6, room) }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws {
        var description = ""
        var view: String?
        var position: Position?
        var nextAttempt: Int64?
        var delay: Int64?
        var room: UInt64?
        try bytes.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            while let field = try reader.next() {
                switch field.number {
                case 1: description = try reader.string(field)
                case 2: view = try reader.string(field)
                case 3: position = Position(try reader.varint(field))
                case 4: nextAttempt = try reader.signed(field)
                case 5: delay = try reader.signed(field)
                case 6: room = try reader.varint(field)
                default: try reader.skip(field)
                }
            }
        }
        self.nextAttempt = nextAttempt.map(Self.date)
        self.delay = delay
        self.room = room
        self.description = description
        self.view = view
        self.position = position
    }

    /// The fault of a group that any process has recorded beside the log; nil if there is none.
    static func noted(_ group: String, in log: Log) throws -> GroupFault? {
        try log.note(note(group)).flatMap { try? GroupFault($0) }
    }

    /// Removes a group's fault. Blocks, if there is one.
    package static func forget(_ group: String, in log: Log) throws {
        if try log.note(note(group)) != nil { try log.setViewNote(note(group), nil) }
    }

    /// The faults of all groups of a log by name, of any process. Throws `EventLogError`.
    package static func all(in log: Log) throws -> [String: GroupFault] {
        var found: [String: GroupFault] = [:]
        for (name, bytes) in try log.notes(prefix) {
            found[String(name.dropFirst(prefix.count))] = try? GroupFault(bytes)
        }
        return found
    }
}
