import EventLog
import TripFormats
import TripStore

/// The calendar of a trip, as it is sent.
struct FeedCalendar: Sendable {
    let bytes: [UInt8]
    /// The strong entity tag: the SHA-256 of the bytes, in quotes.
    let tag: String

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var digest = DigestBuilder()
        digest.add(bytes)
        self.bytes = bytes
        tag = "\"\(digest.finish())\""
    }
}

/// The calendars of trips, as `tripstore export` writes them. Each is kept until the position of the views moves.
actor FeedCalendars {
    /// More is not kept.
    private static let mostBytes = 32 << 20

    private let store: TripStore
    /// Calendars are made on a thread of their own: it takes a while for large trips.
    private let thread = WorkerThread(name: "tripstore.feed")
    private var position: Position?
    /// With nil for trips that are deleted, or not there.
    private var kept: [Trip.ID: FeedCalendar?] = [:]
    private var size = 0
    /// How many were made.
    private(set) var made = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(of store: TripStore) { self.store = store }

    /// The calendar that a secret stands for; nil if there is none. The secrets are read on this thread, too.
    func calendar(for secret: FeedSecret, in secrets: FeedSecrets) throws -> FeedCalendar? {
        guard let feed = try secrets.feed(with: secret) else { return nil }
        return try calendar(of: feed.trip)
    }

    /// The calendar of a trip; nil if it is deleted, or not there. Throws what reads of the store throw.
    func calendar(of trip: Trip.ID) throws -> FeedCalendar? {
        if let calendar = kept[trip], try store.read({ $0.position }) == position { return calendar }
        let selection = ExportSelection(trips: [trip], days: nil)
        let (now, calendar) = try store.read { views in
            try (views.position, CalendarExporter().calendar(of: selection, in: views))
        }
        made += 1
        let sent = calendar.entries.isEmpty ? nil : FeedCalendar(calendar.text().text)
        keep(sent, of: trip, at: now)
        return sent
    }

    private func keep(_ calendar: FeedCalendar?, of trip: Trip.ID, at now: Position) {
        let bytes = calendar?.bytes.count ?? 0
        if now != position || size + bytes > Self.mostBytes { (kept, size) = ([:], 0) }
        position = now
        guard bytes <= Self.mostBytes else { return }
        kept.updateValue(calendar, forKey: trip)
        size += bytes
    }
}
