public import EventLog
import Events
public import Foundation

/// What keeps a group of views from following the log.
public struct GroupFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, in words, and what to do.
    public let description: String
    /// The view whose projection is at fault; nil if it was the medium or the log.
    public let view: String?
    /// The commit that it failed at, if that is known.
    public let position: Position?
    /// Before when the views are not built anew by themselves; nil if nothing waits for that.
    public let nextAttempt: Date?

    /// How long is waited for that in all, in milliseconds: the next time it is longer.
    let delay: Int64?

    /// With the delay, if it is one, that a rebuild has to wait for at a moment.
    init(_ error: any Error, _ delay: RebuildDelay = RebuildDelay(), at now: Int64 = 0) {
        let fault = error as? ProjectionFault
        description = "\(error)"
        let next = delay.next(at: now)
        nextAttempt = next.map(Self.date)
        self.delay = next == nil ? nil : delay.length
        view = fault?.view
        position = fault?.position
    }

    private static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// `nextAttempt` in milliseconds since 1970.
    var nextAttemptMilliseconds: Int64? {
        // A note that was damaged may hold any number.
        nextAttempt.flatMap { Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded()) }
    }

    // MARK: As it is kept beside the log

    private static let prefix = "fault/"

    static func note(_ group: String) -> String { prefix + group }

    func encoded() -> [UInt8] {
        var writer = WireWriter()
        writer.string(1, description)
        if let view { writer.string(2, view) }
        if let position { writer.varint(3, position.rawValue) }
        if let nextAttemptMilliseconds { writer.signed(4, nextAttemptMilliseconds) }
        if let delay { writer.signed(5, delay) }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws {
        var description = ""
        var view: String?
        var position: Position?
        var nextAttempt: Int64?
        var delay: Int64?
        try bytes.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            while let field = try reader.next() {
                switch field.number {
                case 1: description = try reader.string(field)
                case 2: view = try reader.string(field)
                case 3: position = Position(try reader.varint(field))
                case 4: nextAttempt = try reader.signed(field)
                case 5: delay = try reader.signed(field)
                default: try reader.skip(field)
                }
            }
        }
        self.nextAttempt = nextAttempt.map(Self.date)
        self.delay = delay
        self.description = description
        self.view = view
        self.position = position
    }

    /// The fault of a group that some process has noted beside the log; nil if there is none.
    static func noted(_ group: String, in log: Log) throws -> GroupFault? {
        try log.note(note(group)).flatMap { try? GroupFault($0) }
    }

    /// Forgets a group's fault. Waits, if there is one.
    package static func forget(_ group: String, in log: Log) throws {
        if try log.note(note(group)) != nil { try log.setViewNote(note(group), nil) }
    }

    /// The faults of all groups of a log by their names, whatever process met them. Throws `EventLogError`.
    package static func all(in log: Log) throws -> [String: GroupFault] {
        var found: [String: GroupFault] = [:]
        for (name, bytes) in try log.notes(prefix) {
            found[String(name.dropFirst(prefix.count))] = try? GroupFault(bytes)
        }
        return found
    }
}
