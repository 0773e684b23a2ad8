import Observation
import StoreSupport
import Synchronization
import TripStore

/// Makes every query fail while it is on.
final class Outage: StoreInterceptor {
    private let current = Mutex<(any Error)?>(nil)

    func begin(_ error: any Error = Failure(reason: "the medium is gone")) { current.withLock { $0 = error } }
    func end() { current.withLock { $0 = nil } }

    func willWrite() async throws {}
    func willRead() throws { if let error = current.withLock({ $0 }) { throw error } }

    struct Failure: Error, Equatable {
        let reason: String
    }
}

extension TripStore {
    static func test(_ outage: Outage) async throws -> TripStore {
        try await temporary(
            options: Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies).intercepted(by: outage))
    }
}

/// Waits until what observable objects hold meets a condition.
@MainActor
func until(_ condition: @MainActor () -> Bool) async {
    while true {
        let (changes, change) = AsyncStream<Void>.makeStream()
        let isMet = withObservationTracking {
            condition()
        } onChange: {
            change.yield()
        }
        if isMet { return }
        // The value is set when this continues: it was set before the main actor became free.
        for await _ in changes { break }
    }
}

extension LivePhase {
    /// For comparison.
    var name: String {
        switch self {
        case .loading: "loading"
        case .loaded: "loaded"
        case .empty: "empty"
        case .failed(let error): "failed: \((error as? Outage.Failure)?.reason ?? "\(error)")"
        }
    }
}
