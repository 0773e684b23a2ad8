import Testing

@testable import ProjectionEngine

@Suite("Staying awake")
struct WakefulnessTests {
    @Test(
        "Who is alone stays awake as long as he may, and no longer",
        arguments: [0, 1, 5_000, Wakefulness.limit] as [UInt64])
    func alone(limit: UInt64) {
        var wakefulness = Wakefulness(from: 7, atMost: limit)
        var time: UInt64 = 7
        while time < 7 + limit {
            #expect(wakefulness.isWorthwhile)
            time += 1_000
            wakefulness.note(time)
        }
        #expect(!wakefulness.isWorthwhile)
    }

    @Test("Two long yields are let pass; after a third, in whatever order they come, it is better to sleep")
    func busy() {
        var wakefulness = Wakefulness(from: 0, atMost: .max)
        var time: UInt64 = 0
        for step in [900, 80_000, 10_000, 10_001, 500] as [UInt64] {
            time += step
            wakefulness.note(time)
            #expect(wakefulness.isWorthwhile)
        }
        wakefulness.note(time + 10_001)
        #expect(!wakefulness.isWorthwhile)
    }

    @Test("Where the wait before took longer than one stays awake, one does not stay awake")
    func slowMedium() {
        #expect(Wakefulness.limit(afterWaiting: 0) == Wakefulness.limit)
        #expect(Wakefulness.limit(afterWaiting: Wakefulness.limit) == Wakefulness.limit)
        #expect(Wakefulness.limit(afterWaiting: Wakefulness.limit + 1) == 0)
    }

    @Test("A limit beyond the end of time is none")
    func farLimit() {
        let wakefulness = Wakefulness(from: .max - 5, atMost: .max)
        #expect(wakefulness.isWorthwhile)
    }
}
