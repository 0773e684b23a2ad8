import Foundation
import StoreSupport
import Synchronization
import Testing

@testable import TripStore

@Suite("Live histories")
struct LiveHistoryTests {
    /// Runs an action once, before the next read.
    private final class BeforeRead: StoreInterceptor {
        private let action = Mutex<(@Sendable () -> Void)?>(nil)

        func once(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

        func willWrite() async throws {}
        func willRead() throws { action.withLock { $0.take() }?() }
    }

    @Test("A commit between the read of the log and that of the views is emitted next")
    func commitInBetween() async throws {
        let interceptor = BeforeRead()
        let store = try await TripStore.temporary(
            options: TripStore.Options(
                mapSize: 1 << 30, dependencies: ManualClock().dependencies
            ).intercepted(by: interceptor))
        let trip = try await store.create(Trip(name: "Lisbon"))
        interceptor.once {
            let isWritten = DispatchSemaphore(value: 0)
            Task {
                _ = try? await store.append([TripEvent(.edited, trip, [.set(\.name, "Porto")])])
                isWritten.signal()
            }
            isWritten.wait()
        }
        // On a thread that may block.
        let counts: [Int?] = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        var history = store.live(historyOf: trip).iterator(after: nil)
                        return [
                            try history.current()?.count, try history.current()?.count, try history.current()?.count,
                        ]
                    })
            }
        }
        #expect(counts == [1, 2, nil])
        try await store.expectInvariants()
    }
}
