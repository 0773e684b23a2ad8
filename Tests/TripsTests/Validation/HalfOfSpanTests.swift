import Events
import Testing

@testable import Trips

@Suite("Start or end written alone")
struct HalfOfSpanTests {
    private let morning = Samples.morning.encodedValue ?? []
    private let noon = Samples.noon.encodedValue ?? []

    private func half(_ change: FieldChange<Activity>) throws -> HalfOfSpan {
        try #require(HalfOfSpan(TripEvent(.edited, Samples.activity.id, [change])))
    }

    private func isFine(_ half: HalfOfSpan, _ value: [UInt8], _ held: [UInt8]) -> Bool {
        value.withUnsafeBytes { value in held.withUnsafeBytes { half.isInOrderOnFastPath(value, with: $0) } }
    }

    @Test("The other end has to be in order with it, on either side")
    func order() throws {
        let start = try half(.set(\.start, Samples.morning))
        let end = try half(.set(\.end, Samples.noon))
        #expect(isFine(start, morning, noon) && !isFine(start, noon, morning) && isFine(start, noon, noon))
        #expect(isFine(end, noon, morning) && !isFine(end, morning, noon) && isFine(end, noon, noon))
    }

    @Test("No bytes are the same as none, and what cannot be read is looked at closely")
    func odd() throws {
        let start = try half(.set(\.start, Samples.morning))
        #expect(isFine(start, morning, []))
        #expect(!isFine(start, morning, [0xFF]) && !isFine(start, [0xFF], noon))
    }

    @Test("Nothing is left to look at where both are written, neither is, or one is cleared")
    func none() {
        let id = Samples.activity.id
        #expect(HalfOfSpan(TripEvent(.edited, id, [.set(\.start, Samples.morning), .set(\.end, Samples.noon)])) == nil)
        #expect(HalfOfSpan(TripEvent(.edited, id, [.set(\.notes, "Left side")])) == nil)
        #expect(HalfOfSpan(TripEvent(.edited, id, [.clear(\.start)])) == nil)
        #expect(HalfOfSpan(TripEvent(.edited, Samples.organization.id, [.set(\.phone, "1")])) == nil)
        #expect(HalfOfSpan(TripEvent(.edited, Samples.trip.id, [.set(\.startDay, Day(2027, 5, 1))]))?.written == 4)
    }
}
