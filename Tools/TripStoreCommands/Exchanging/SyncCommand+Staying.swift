import Foundation
import LogExchange
import TripStore

extension SyncCommand {
    /// Prints how the store stands with the hub, until the command is interrupted or a person has to look.
    func stay(_ store: TripStore) async throws {
        do {
            let reached = try await ReachedHub(peer, hub, store)
            let sync = store.stayInSync(with: reached.connector)
            let json = options.json
            let failure = await withTaskGroup(of: (any Error)?.self) { group in
                group.addTask { await Self.show(sync, reached, store, json: json) }
                group.addTask {
                    await Console.current.ended()
                    return nil
                }
                defer { group.cancelAll() }
                return await group.next() ?? nil
            }
            await sync.stop()
            if let failure { throw failure }
        } catch {
            throw ReachedHub.advised(error)
        }
    }

    /// Returns why it cannot go on, or nil if it was cancelled.
    private static func show(
        _ sync: StoreSync, _ reached: ReachedHub, _ store: TripStore, json: Bool
    ) async -> (any Error)? {
        for await state in sync {
            let text = StayingText(state)
            Console.current.out(json ? text.json.text : text.line.visible)
            switch state {
            case .connected:
                do { try await reached.remember(in: store) } catch { return error }
            case .notTrusted(let reason, _): return ExchangeError(.notTrusted, reason)
            case .otherJournal(let reason, _): return ExchangeError(.otherJournal, reason)
            case .revoked(let admin): return ExchangeError.revoked(by: admin)
            case .stopped(let reason): return Task.isCancelled ? nil : CommandError(reason)
            case .connecting, .catchingUp, .impeded, .needsGrant, .offline: break
            }
        }
        return nil
    }
}
