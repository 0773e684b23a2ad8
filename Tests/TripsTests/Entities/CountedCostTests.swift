import Events
import Testing

@testable import Trips

@Suite("What of a cost counts")
struct CountedCostTests {
    private static let cost = Money(minorUnits: 500, "EUR")
    private static let amount = Money(minorUnits: 120, "USD")

    struct Case: Sendable {
        let stage: PlanningStage
        let paid: PaidStatus
        var cost: Money? = CountedCostTests.cost
        var amount: Money? = CountedCostTests.amount
        let counted: Money?
    }

    static let cases = [
        Case(stage: .planned, paid: .none, counted: cost), Case(stage: .idea, paid: .none, counted: cost),
        Case(stage: .booked, paid: .deposit, counted: cost), Case(stage: .done, paid: .inFull, counted: cost),
        Case(stage: PlanningStage(rawValue: 77), paid: .none, counted: cost),
        Case(stage: .planned, paid: .deposit, cost: nil, counted: nil),
        Case(stage: .cancelled, paid: .inFull, counted: cost), Case(stage: .cancelled, paid: .deposit, counted: amount),
        Case(stage: .cancelled, paid: .none, counted: amount),
        Case(stage: .cancelled, paid: .deposit, amount: nil, counted: nil),
        Case(stage: .cancelled, paid: .none, amount: nil, counted: nil),
        Case(stage: .cancelled, paid: .deposit, cost: nil, counted: amount),
    ]

    @Test("Of a cancelled item only what is paid counts, of all others the cost", arguments: cases)
    func counted(test: Case) throws {
        var item = Activity(name: "Tram", in: Trip.ID(Samples.uuid), cost: test.cost, paid: test.paid)
        item.stage = test.stage
        item.paidAmount = test.amount
        #expect(item.countedCost == test.counted)
        #expect(TripItem.activity(item).countedCost == test.counted)
        // Views read the same of the record.
        try Records.record(of: item).encoded().withUnsafeBytes { bytes in
            try ItemSlice.read(RecordView(bytes)) { read in
                #expect(read.plainCountedCost?.minorUnits == test.counted?.minorUnits)
                #expect(read.countedCost == test.counted)
            }
        }
    }

    @Test("An item without a time is filed at the beginning of its first day in UTC, and a time wins over the day")
    func days() throws {
        var item = Activity(name: "Festival", in: Trip.ID(Samples.uuid), days: Day(2027, 5, 2)...Day(2027, 5, 4))
        func start() throws -> Int64? {
            var start: Int64?
            try Records.record(of: item).encoded().withUnsafeBytes { bytes in
                try PlaceSlice.read(RecordView(bytes), of: .activity) { start = $0.start }
            }
            return start
        }
        #expect(try start() == Int64(Day(2027, 5, 2).daysSince1970) * 86_400_000)
        item.start = Samples.noon
        #expect(try start() == Samples.noon.milliseconds)
        (item.start, item.startDay) = (nil, nil)
        #expect(try start() == nil, "an end alone files nothing")
    }
}
