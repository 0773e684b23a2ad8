import LMDBSupport
import Platform
import Testing

@Suite("A mutex that any running thread may take")
struct BargingMutexTests {
    @Test("One thread at a time has the value, and what a closure throws comes out with the mutex free")
    func exclusion() throws {
        struct Refusal: Error {}
        let count = BargingMutex(0)
        let failures = concurrently(4) { _ in
            for _ in 0..<5_000 {
                count.withLock { $0 += 1 }
                #expect(throws: Refusal.self) { try count.withLock { _ in throw Refusal() } }
            }
        }
        #expect(failures.isEmpty)
        #expect(count.withLock { $0 } == 20_000)
    }
}
