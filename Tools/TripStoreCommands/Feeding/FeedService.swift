import Synchronization
import TripStore

/// Answers calendar programs from a store and its secrets, which are read for each request: an address works as soon as it is made, and no
/// longer than until it is revoked.
final class FeedService: Sendable {
    private let secrets: FeedSecrets
    private let calendars: FeedCalendars
    private let hosts: ServedHosts
    private let place: StorePlace
    private let console: Console
    /// The last fault that was told: programs ask again and again.
    private let told = Mutex("")

    /// Warns on the console of the running command.
    init(of store: TripStore, _ secrets: FeedSecrets, as hosts: ServedHosts) {
        (self.secrets, self.hosts) = (secrets, hosts)
        calendars = FeedCalendars(of: store)
        place = StorePlace(secrets.folder)
        console = Console.current
    }

    func answer(_ request: WebRequest) async -> WebAnswer {
        do {
            // Without its folder there are no secrets: programs would hear that their calendars are gone, and drop them.
            try place.check()
            let answer = try await FeedAnswer.answer(to: request, as: hosts) { secret in
                try await self.calendars.calendar(for: secret, in: self.secrets)
            }
            return answer
        } catch {
            tell(error)
            return FeedAnswer.unavailable
        }
    }

    private func tell(_ error: any Error) {
        // Requests run in tasks of the server's.
        Console.$current.withValue(console) {
            let text = "A feed cannot be served: \(ErrorReport.text(of: error))"
            let isNew = told.withLock { told in
                defer { told = text }
                return told != text
            }
            if isNew { console.warn(text.visible) }
        }
    }
}
