import Events
import Foundation
import TripStore

/// A calendar, a table or a map, which was read once: its records are read again in batches if they are many.
struct ForeignFile: Sendable {
    struct Entry: Sendable {
        /// The entity, if the file is an export of a store; else the ids that the item may have, by kind.
        var candidates: [EntityReference]
        /// The series whose held items it may be about as well.
        let series: CalendarSeries?
        /// Whether it only says that what is held does not take place.
        let isCancellation: Bool
        /// The trip of an entity of an export.
        let trip: Trip.ID?
        let origin: ForeignOrigin?
        /// Whether a store wrote it for people to look at: an item that is held stays as it is.
        var isShown = false
        let item: ForeignItem
        let place: String
    }

    /// Hands all records over, and returns further warnings.
    typealias Batches = @Sendable (_ body: (_ entries: [Entry], _ isLast: Bool) throws -> Void) throws -> [String]

    /// How many bytes a record has at most as a rule: a file of so many for each record of a batch may be read into memory.
    static let usualRecord = 400
    /// The records of each batch of a file that has several: one takes some ten kilobytes until it is planned.
    private static let mostOfSeveral = 500

    /// What names the trip of the file, with the name below.
    let provider: String
    /// Whether it is a calendar, whose UIDs another program may have made anew.
    var isCalendar: Bool { provider == Self.calendarProvider }
    private static let calendarProvider = "icalendar"
    /// What the trip is called.
    let name: String
    /// How many records it has.
    let count: Int
    private let batches: Batches
    private var path = ""
    /// The entities that the events of a calendar name; empty for other files.
    private(set) var named = SortedHashes()
    /// The tracks, which become attachments of a trip.
    let tracks: [ForeignTrack]
    let trips: [ForeignTrip]
    let warnings: [String]
    /// Why rows of a table are left out.
    let faults: [String]
    /// Records that are left out.
    let skipped: Int
    /// Why the first of these is.
    let firstFault: String?
    /// Whether a store exported it.
    let isExport: Bool
    let digest: Digest
    /// The bytes of the file.
    let size: Int64

    /// Calls `body` with all records in batches, at least once, and returns warnings that were not known before.
    ///
    /// Throws `TextFormatError` with `unreadable` if the file was changed since it was read first, and what `body` throws.
    func forEachBatch(_ body: (_ entries: [Entry], _ isLast: Bool) throws -> Void) throws -> [String] {
        do { return try batches(body) } catch var error as TextFormatError {
            error.file = error.file ?? path
            throw error
        }
    }

    /// Reads a table by the mapping of the options, a map or a calendar.
    /// - Parameter limit: how many records memory holds at once.
    init(
        path: String, _ options: ImportOptions, _ format: ImportOptions.Format, atOnce limit: Int, _ watch: ReadingWatch
    ) throws {
        let base = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
        let name = options.name ?? (base.isEmpty ? "Imported" : base)
        let zone = options.timeZone?.identifier ?? "UTC"
        do {
            if let map = format.map {
                try self.init(map: MapFile(path: path, map), named: name, zone: zone, limit)
            } else if format == .csv, let mapping = options.mapping {
                try self.init(
                    table: KnownFile(path), named: name, mapping, zone: zone, currency: options.currency, limit,
                    watch)
            } else {
                try self.init(calendar: KnownFile(path), named: name, zone: zone, limit, watch)
            }
            self.path = path
        } catch let error as TextFormatError {
            var named = error
            named.file = path
            throw named
        }
    }

    // MARK: Calendars

    private init(calendar file: KnownFile, named base: String, zone: String, _ limit: Int, _ watch: ReadingWatch) throws
    {
        let say = { (share: Double) throws(TextFormatError) in try watch.report(share, of: file.size) }
        try say(0)
        provider = Self.calendarProvider
        let found: [CalendarItems.TripEntry]
        if file.size <= Int64(limit) * Int64(Self.usualRecord) {
            let calendar = try CalendarItems(reading: TextBytes.contents(of: file.path), zone: zone, saying: say)
            let entries = (calendar.entries + calendar.cancellations).map(Self.entry)
            name = calendar.name ?? base
            (count, found) = (entries.count, calendar.trips)
            (warnings, skipped) = (calendar.warnings.texts, calendar.skipped)
            firstFault = calendar.warnings.firstFault
            for entry in entries { for candidate in entry.candidates { named.append(candidate) } }
            isExport = !found.isEmpty || entries.contains { $0.origin != nil }
            batches = Self.whole(entries)
        } else {
            var survey = (count: 0, isExport: false, named: SortedHashes())
            var stream = try CalendarStream(
                path: file.path, zone: zone, atOnce: min(limit, Self.mostOfSeveral), saying: say)
            let items = try stream.read(saying: say) { entries in
                for entry in entries.lazy.map(Self.entry) {
                    survey.count += 1
                    survey.isExport = survey.isExport || entry.origin != nil
                    for candidate in entry.candidates { survey.named.append(candidate) }
                }
            }
            name = stream.name ?? base
            (count, found, named) = (survey.count, items.trips, survey.named)
            // Only the second reading knows how the stays of the calendar end.
            (warnings, skipped, firstFault) = ([], items.skipped, items.warnings.firstFault)
            isExport = !found.isEmpty || survey.isExport
            batches = { [stream] body in
                var (stream, waiting) = (stream, [Entry]?.none)
                try file.check()
                let items = try stream.read { entries in
                    if let waiting { try body(waiting, false) }
                    waiting = entries.map(Self.entry)
                }
                try file.check()
                try body(waiting ?? [], true)
                return items.warnings.texts
            }
        }
        named.sort()
        trips = found.map {
            ForeignTrip(id: $0.id, name: $0.name, place: "line \($0.line)", days: $0.days, exported: $0)
        }
        (tracks, faults) = ([], [])
        (digest, size) = (try file.digest(), file.size)
    }

    private static func entry(_ entry: CalendarItems.Entry) -> Entry {
        Entry(
            candidates: entry.own.map { [$0] }
                ?? ([entry.externalID] + entry.otherIDs).flatMap {
                    candidates(calendarProvider, $0, entry.item.kind)
                }, series: entry.series, isCancellation: entry.item.isCancellation, trip: entry.trip,
            origin: entry.own == nil ? nil : ForeignOrigin(sequence: entry.sequence, creation: entry.creation),
            item: entry.item,
            place: "line \(entry.line)")
    }

    private static func whole(_ entries: [Entry]) -> Batches {
        { body in
            try body(entries, true)
            return []
        }
    }

    // MARK: Tables

    private init(
        table file: KnownFile, named name: String, _ mapping: TableMapping, zone: String, currency: Currency,
        _ limit: Int, _ watch: ReadingWatch
    ) throws {
        let provider = "csv:\(mapping.source)"
        @Sendable func read(
            isChecked: Bool, _ body: (TableReading.Row) throws(TextFormatError) -> Void
        ) throws(TextFormatError) -> [String] {
            let source = try TableSource(
                path: file.path, mapping, mostInMemory: limit * Self.usualRecord, isChecked: isChecked)
            var reading = try TableReading(source, mapping, zone: zone, currency: currency)
            while let row = try reading.next() { try body(row) }
            return reading.notes
        }
        var (count, faults) = (0, (words: [String](), count: 0))
        let survey = RecordBatches<Entry>(of: limit) { _ in }
        let notes = try read(isChecked: true) { row throws(TextFormatError) in
            try watch.report(0, of: file.size)
            switch row {
            case .entry(let entry):
                count += 1
                try survey.append(Self.entry(entry, provider))
            case .fault(let fault):
                faults.count += 1
                if faults.count <= Self.mostFaults { faults.words.append(Self.words(fault)) }
            }
        }
        (self.provider, self.name, self.count) = (provider, name, count)
        if survey.isSplit {
            batches = { body in
                try withoutActuallyEscaping(body) { body in
                    let batches = RecordBatches<Entry>(of: min(limit, Self.mostOfSeveral)) { try body($0, false) }
                    try file.check()
                    try batches.rethrowing {
                        _ = try read(isChecked: false) { row throws(TextFormatError) in
                            if case .entry(let entry) = row { try batches.append(Self.entry(entry, provider)) }
                        }
                    }
                    try file.check()
                    try body(batches.rest(), true)
                    return []
                }
            }
        } else {
            batches = Self.whole(survey.rest())
        }
        let warning =
            "The mapping names no 'id', so that the kind, the name and the start name a row: one whose start changes becomes another item. "
            + "Name the columns that stay the same if the table has any."
        (trips, tracks, skipped, isExport) = ([], [], faults.count, false)
        (digest, size) = (try file.digest(), file.size)
        warnings = notes + (mapping.hasKey ? [] : [warning])
        let others = faults.count - faults.words.count
        self.faults =
            faults.words
            + (others > 0
                ? ["\(others.counted("further row")) \(others.agreeing("is", "are")) left out for such reasons."] : [])
        firstFault = faults.words.first
    }

    private static func entry(_ entry: TableItems.Entry, _ provider: String) -> Entry {
        Entry(
            candidates: candidates(provider, entry.externalID, entry.item.kind), series: nil,
            isCancellation: false, trip: nil, origin: nil, item: entry.item, place: "line \(entry.line)")
    }

    private static let mostFaults = 100

    private static func words(_ fault: TextFormatError) -> String {
        "\(fault.place?.description ?? "The table"): the row is left out: \(fault.message)"
    }

    // MARK: Maps

    private init(map file: MapFile, named base: String, zone: String, _ limit: Int) throws {
        var file = file
        let survey = RecordBatches<MapContents.Place>(of: limit) { _ in }
        let (contents, size) = try file.contents(zone: zone, batches: survey)
        let name = contents.name.isEmpty ? base : contents.name
        let provider = "map:\(name)"
        (self.name, self.provider, count) = (name, provider, contents.placeCount)
        if survey.isSplit {
            batches = { [file] body in
                try withoutActuallyEscaping(body) { body in
                    let batches = RecordBatches<MapContents.Place>(of: min(limit, Self.mostOfSeveral)) { places in
                        try body(places.map { Self.entry($0, provider) }, false)
                    }
                    var file = file
                    try batches.rethrowing { _ = try file.contents(zone: zone, batches: batches) }
                    try body(batches.rest().map { Self.entry($0, provider) }, true)
                    return []
                }
            }
        } else {
            batches = Self.whole(survey.rest().map { Self.entry($0, provider) })
        }
        tracks = contents.tracks.map { ForeignTrack($0, of: file, provider: provider) }
        (trips, faults, isExport) = ([], [], false)
        (warnings, skipped, self.size) = (contents.warnings.texts, contents.skipped, size)
        firstFault = contents.warnings.firstFault
        digest = try KnownFile.digest(file.path)
    }

    private static func entry(_ place: MapContents.Place, _ provider: String) -> Entry {
        Entry(
            candidates: place.own.map { [$0] } ?? candidates(provider, place.externalID, place.item.kind),
            series: nil, isCancellation: false, trip: nil, origin: nil, isShown: place.own != nil, item: place.item,
            place: "line \(place.line)")
    }

    /// The ids of each kind, that of a kind first: an event that was taken for another kind before keeps it.
    static func candidates(_ provider: String, _ id: String, _ kind: ForeignItem.Kind) -> [EntityReference] {
        let kinds = [kind] + ForeignItem.Kind.allCases.filter { $0 != kind }
        return kinds.map { kind in
            switch kind {
            case .activity: Activity.ID.derived(from: provider, id).reference
            case .lodging: Lodging.ID.derived(from: provider, id).reference
            case .transportation: Transportation.ID.derived(from: provider, id).reference
            }
        }
    }
}
