import Foundation
import LogExchange
import Synchronization

/// The running exchanges, for display.
final class RunningExchanges: Sendable {
    private let progress = Mutex<[UUID: ExchangeProgress]>([:])

    var all: [ExchangeProgress] { progress.withLock { Array($0.values) } }

    func begin() -> UUID {
        let id = UUID()
        progress.withLock { $0[id] = ExchangeProgress() }
        return id
    }

    func note(_ step: ExchangeProgress, of id: UUID) { progress.withLock { $0[id] = step } }

    func end(_ id: UUID) { progress.withLock { $0[id] = nil } }
}
