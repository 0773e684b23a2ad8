public import Events
public import Foundation
public import Trips

// What programs of other packages need that measure the log, or a database, beside a store.

extension TripEvent {
    /// The event as the log has it, of which nothing is seen.
    public var recorded: Event {
        Event(verb: verb, entity: entity, changes: writes.map { Change(path: $0.path, value: $0.value) })
    }
}

extension Timestamp {
    /// The first timestamp of the millisecond nearest to a date.
    public static func at(_ date: Date) -> Timestamp { Timestamp(date) }
}

extension Verb {
    /// The number in the log.
    public var number: UInt32 { rawValue }
}

extension PaidStatus {
    /// The number in the log.
    public var number: UInt32 { rawValue }
}

extension TransportationMode {
    /// The number in the log.
    public var number: UInt32 { rawValue }
}
