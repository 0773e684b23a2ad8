import Events

@testable import TripStore

/// Writes to a planner's memory, and what it holds of them.
enum EntityMemoryFixture {
    static func bytes(of event: Event) throws -> [UInt8] {
        let payload = Payload(events: [event]).encoded()
        return try payload.withUnsafeBytes { bytes in
            let events = try PayloadView(bytes).outline().events
            return [UInt8](bytes[Int(events[0].lowerBound)..<Int(events[0].upperBound)])
        }
    }

    static func value(_ field: UInt64, of number: Int, _ entities: borrowing EntityMemory) throws -> [UInt8]? {
        var found = [HeldField(FieldPath(field: field))]
        try entities.find(&found, of: number)
        return entities.withValue(of: found[0]) { [UInt8]($0) }
    }
}
