import Foundation
import StoreSupport
import Synchronization
import Testing
import TripStore

@testable import TripStoreCommands

@Suite("Feeds of a store")
struct FeedServiceTests {
    private let folder = TemporaryFolder()
    private let secrets: FeedSecrets

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        secrets = FeedSecrets(in: folder.url)
    }

    /// Makes an address of a trip, and returns its target.
    private func add(_ trip: Trip.ID) throws -> String {
        let feed = Feed(trip: trip, secret: .new(), made: Date(timeIntervalSince1970: 1_800_000_000))
        try secrets.change { $0.append(feed) }
        return feed.secret.target(named: "trip")
    }

    private func service(of store: TripStore) -> FeedService {
        FeedService(of: store, secrets, as: ServedHosts(listening: "127.0.0.1"))
    }

    @Test("The tag of a feed changes with its own trip, and with no other; equal bytes have equal tags")
    func tags() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 4)))
        let porto = try await store.create(Trip(name: "Porto", days: Day(2027, 6, 1)...Day(2027, 6, 4)))
        let (target, service) = (try add(lisbon), service(of: store))
        let first = await service.answer(.get(target))
        let tag = try #require(first["etag"])
        #expect(first.status == 200)
        #expect(String(decoding: first.bytes ?? [], as: UTF8.self).contains("SUMMARY:Lisbon\r\n"))
        let conditional = WebRequest.get(target, [(name: "if-none-match", value: tag)])
        #expect(await service.answer(conditional).status == 304)
        try await store.edit(porto) { $0.name = "Braga" }
        #expect(await service.answer(conditional).status == 304)
        try await store.edit(lisbon) { $0.name = "Faro" }
        let changed = await service.answer(conditional)
        #expect(changed.status == 200 && changed["etag"] != tag)
        #expect(String(decoding: changed.bytes ?? [], as: UTF8.self).contains("SUMMARY:Faro\r\n"))
        // Another service of the same state, as after a start anew.
        #expect(await self.service(of: store).answer(.get(target))["etag"] == changed["etag"])
        try await store.expectInvariants()
    }

    @Test("A calendar is made once for a position of the views, also one of a trip that is not there")
    func made() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 4)))
        let calendars = FeedCalendars(of: store)
        for _ in 0..<3 {
            #expect(try await calendars.calendar(of: trip) != nil)
            #expect(try await calendars.calendar(of: .new()) == nil)
        }
        #expect(await calendars.made == 4)
        let missing = Trip.ID.new()
        for _ in 0..<3 { #expect(try await calendars.calendar(of: missing) == nil) }
        #expect(await calendars.made == 5)
        try await store.edit(trip) { $0.notes = "sunny" }
        for _ in 0..<3 { _ = try await calendars.calendar(of: trip) }
        #expect(await calendars.made == 6)
        try await store.expectInvariants()
    }

    @Test(
        "A revoked address and one of a deleted trip are answered at once as one that never was; a restored trip is served"
    )
    func revoked() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 4)))
        let (one, other, service) = (try add(trip), try add(trip), service(of: store))
        #expect(await service.answer(.get(one)).status == 200)
        _ = try secrets.change { $0.removeFirst() }
        let never = await service.answer(.get(FeedSecret.new().target(named: "trip")))
        for target in [one, other] {
            if target == other { try await store.delete(trip) }
            let answer = await service.answer(.get(target))
            #expect(answer.status == 404 && answer.bytes == [])
            #expect(answer.headers.map(\.0) == never.headers.map(\.0))
            #expect(answer.headers.map(\.1) == never.headers.map(\.1))
        }
        try await store.restore(trip)
        #expect(await service.answer(.get(other)).status == 200)
        #expect(await service.answer(.get(one)).status == 404)
        try await store.expectInvariants()
    }

    @Test("While the store is gone, programs are told to try again, and not that there is no such calendar")
    func gone() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let log = folder.path("log")
        try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
        try Data().write(to: URL(fileURLWithPath: log + "/data.mdb"))
        let (target, service) = (try add(trip), service(of: store))
        #expect(await service.answer(.get(target)).status == 200)
        let away = folder.path("away")
        try FileManager.default.moveItem(atPath: log, toPath: away)
        #expect(await service.answer(.get(target)).status == 503)
        try FileManager.default.moveItem(atPath: away, toPath: log)
        #expect(await service.answer(.get(target)).status == 200)
        try await store.expectInvariants()
    }

    @Test("While the secrets cannot be read, programs are told to try again, and the console why, once")
    func unreadable() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let target = try add(trip)
        let told = Told()
        let console = Console(out: { _ in }, error: { told.add($0) })
        let service = Console.$current.withValue(console) { self.service(of: store) }
        chmod(secrets.path, 0o644)
        for _ in 0..<3 {
            let answer = await service.answer(.get(target))
            #expect(answer.status == 503 && answer.bytes == [] && answer["retry-after"] == "60")
        }
        #expect(told.lines.count == 1 && told.lines.first?.contains("chmod 600") == true, "\(told.lines)")
        chmod(secrets.path, 0o600)
        #expect(await service.answer(.get(target)).status == 200)
        try await store.expectInvariants()
    }
}

private final class Told: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }
    func add(_ line: String) { kept.withLock { $0.append(line) } }
}
