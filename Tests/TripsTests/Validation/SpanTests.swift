import Events
import Testing

@testable import Trips

@Suite("Start and end")
struct SpanTests {
    private static let morning = Samples.morning.encodedValue ?? []
    private static let noon = Samples.noon.encodedValue ?? []

    /// What the fast path proves of an edit.
    private func proof<Entity: TripEntity>(_ id: Identifier<Entity>, _ changes: FieldChange<Entity>...) -> FastProof? {
        try? TripEvent(.edited, id, changes).checkValues(in: nil)
    }

    /// Whether an edit of an activity's start or end passes with the other as it is held, on the fast path and by the rules, which agree.
    private func passes(_ field: UInt64, _ value: [UInt8], _ held: [UInt8]?) -> Bool {
        let event = TripEvent(.edited, Samples.activity.reference, writes: [.init(field: field, value: value)])
        let isFast = event.isValidOnFastPath { _ in held }
        let passes = (try? event.validateRules(in: nil) { _ in held }) != nil
        #expect(isFast == passes)
        return passes
    }

    @Test("The start or the end that is written alone has to be in order with the other, on either side")
    func order() {
        let (morning, noon) = (Self.morning, Self.noon)
        #expect(passes(3, morning, noon) && !passes(3, noon, morning) && passes(3, noon, noon))
        #expect(passes(4, noon, morning) && !passes(4, morning, noon) && passes(4, noon, noon))
    }

    @Test("Whatever is beside no value, beside no bytes, or beside what cannot be read is in order")
    func odd() {
        for held in [nil, [], [0xFF]] as [[UInt8]?] {
            #expect(passes(3, Self.noon, held) && passes(4, Self.morning, held))
        }
    }

    @Test("The fast path leaves nothing to ask where both are written, neither is, or one is cleared")
    func none() {
        let id = Samples.activity.id
        let nothing = FastProof(other: nil)
        #expect(proof(id, .set(\.start, Samples.morning), .set(\.end, Samples.noon)) == nothing)
        #expect(proof(id, .set(\.notes, "Left side")) == nothing)
        #expect(proof(id, .clear(\.start)) == nothing)
        #expect(proof(Samples.organization.id, .set(\.phone, "1")) == nothing)
    }

    @Test("Where an edit writes one of a start and an end, the other is left to ask for")
    func other() {
        #expect(proof(Samples.trip.id, .set(\.startDay, Day(2027, 5, 1)))?.other == 5)
        #expect(proof(Samples.activity.id, .set(\.end, Samples.noon))?.other == 3)
        #expect(proof(Samples.activity.id, .set(\.endDay, Day(2027, 5, 1)))?.other == 16)
        #expect(proof(Samples.lodging.id, .set(\.checkIn, Samples.noon))?.other == 21)
    }

    @Test("Both in the wrong order, or one of two starts and ends each, is left to the full check")
    func left() {
        let id = Samples.activity.id
        let (first, second) = (Day(2027, 5, 1), Day(2027, 5, 2))
        #expect(proof(id, .set(\.start, Samples.noon), .set(\.end, Samples.morning)) == nil)
        #expect(proof(id, .set(\.end, Samples.noon), .set(\.startDay, first)) == nil)
        #expect(proof(id, .set(\.end, Samples.noon), .set(\.startDay, second), .set(\.endDay, first)) == nil)
        #expect(proof(id, .set(\.end, Samples.noon), .set(\.startDay, first), .set(\.endDay, second))?.other == 3)
    }
}
