import EventLog
import Foundation
import Platform
import TripStore

/// A calendar, a table or a map, read as a whole.
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

    /// What names the trip of the file, with the name below.
    let provider: String
    /// Whether it is a calendar, whose UIDs another program may have made anew.
    var isCalendar: Bool { provider == Self.calendarProvider }
    private static let calendarProvider = "icalendar"
    /// What the trip is called.
    let name: String
    let entries: [Entry]
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

    /// Reads a table by the mapping of the options, a map or a calendar.
    init(path: String, _ options: ImportOptions, _ format: ImportOptions.Format) throws(TextFormatError) {
        let base = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
        let name = options.name ?? (base.isEmpty ? "Imported" : base)
        let zone = options.timeZone?.identifier ?? "UTC"
        do throws(TextFormatError) {
            if let map = format.map {
                try self.init(map: MapFile(path: path, map), named: name, zone: zone)
                return
            }
            let bytes = try TextBytes.contents(of: path)
            if format == .csv, let mapping = options.mapping {
                try self.init(table: bytes, named: name, mapping, zone: zone, currency: options.currency)
            } else {
                try self.init(calendar: bytes, named: name, zone: zone)
            }
        } catch {
            var named = error
            named.file = path
            throw named
        }
    }

    private init(calendar bytes: [UInt8], named file: String, zone: String) throws(TextFormatError) {
        let calendar = try CalendarItems(reading: bytes, zone: zone)
        let provider = Self.calendarProvider
        self.provider = provider
        name = calendar.name ?? file
        entries = (calendar.entries + calendar.cancellations).map { entry in
            Entry(
                candidates: entry.own.map { [$0] }
                    ?? ([entry.externalID] + entry.otherIDs).flatMap {
                        Self.candidates(provider, $0, entry.item.kind)
                    }, series: entry.series, isCancellation: entry.item.isCancellation, trip: entry.trip,
                origin: entry.own == nil ? nil : ForeignOrigin(sequence: entry.sequence, creation: entry.creation),
                item: entry.item,
                place: "line \(entry.line)")
        }
        tracks = []
        trips = calendar.trips.map {
            ForeignTrip(id: $0.id, name: $0.name, place: "line \($0.line)", days: $0.days, exported: $0)
        }
        isExport = !trips.isEmpty || entries.contains { $0.origin != nil }
        (warnings, faults) = (calendar.warnings.texts, [])
        (skipped, firstFault) = (calendar.skipped, calendar.warnings.firstFault)
        (digest, size) = (Self.digest(bytes), Int64(bytes.count))
    }

    private init(
        table bytes: [UInt8], named file: String, _ mapping: TableMapping, zone: String, currency: Currency
    ) throws(TextFormatError) {
        let table = try TableItems(reading: bytes, mapping, zone: zone, currency: currency)
        let provider = "csv:\(mapping.source)"
        self.provider = provider
        name = file
        entries = table.entries.map { entry in
            Entry(
                candidates: Self.candidates(provider, entry.externalID, entry.item.kind), series: nil,
                isCancellation: false, trip: nil, origin: nil, item: entry.item, place: "line \(entry.line)")
        }
        let warning =
            "The mapping names no 'id', so that the kind, the name and the start name a row: one whose start changes becomes another item. "
            + "Name the columns that stay the same if the table has any."
        (trips, tracks, skipped, isExport) = ([], [], table.faults.count, false)
        (digest, size) = (Self.digest(bytes), Int64(bytes.count))
        warnings = table.notes + (mapping.hasKey ? [] : [warning])
        faults = Self.words(table.faults)
        firstFault = faults.first
    }

    private static let mostFaults = 100

    private static func words(_ faults: [TextFormatError]) -> [String] {
        let words = faults.prefix(mostFaults).map { fault in
            "\(fault.place?.description ?? "The table"): the row is left out: \(fault.message)"
        }
        guard faults.count > mostFaults else { return words }
        return words + ["\(faults.count - mostFaults) further rows are left out for such reasons."]
    }

    private init(map file: MapFile, named base: String, zone: String) throws(TextFormatError) {
        var file = file
        let (contents, size) = try file.contents(zone: zone)
        let name = contents.name.isEmpty ? base : contents.name
        let provider = "map:\(name)"
        (self.name, self.provider) = (name, provider)
        entries = contents.places.map { place in
            Entry(
                candidates: place.own.map { [$0] }
                    ?? Self.candidates(provider, place.externalID, place.item.kind), series: nil,
                isCancellation: false, trip: nil, origin: nil, isShown: place.own != nil, item: place.item,
                place: "line \(place.line)")
        }
        tracks = contents.tracks.map { ForeignTrack($0, of: file, provider: provider) }
        (trips, faults, isExport) = ([], [], false)
        (warnings, skipped, self.size) = (contents.warnings.texts, contents.skipped, size)
        firstFault = contents.warnings.firstFault
        do { digest = try Digest(ofFile: file.path) } catch {
            throw TextFormatError(.unreadable, "It cannot be read: \(error.systemText)")
        }
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

    private static func digest(_ bytes: [UInt8]) -> Digest {
        var builder = DigestBuilder()
        builder.add(bytes)
        return builder.finish()
    }
}
