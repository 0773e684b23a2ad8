import EventLog
import Foundation
import Platform
import TripFormats
import TripStore

/// A calendar or a table, read as a whole.
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
        let item: ForeignItem
        let place: String
    }

    /// What names the trip of the file, with the name below.
    let provider: String
    /// What the trip is called.
    let name: String
    let entries: [Entry]
    let trips: [ForeignTrip]
    let warnings: [String]
    /// Records that are left out.
    let skipped: Int
    /// Whether a store exported it.
    let isExport: Bool
    let digest: Digest

    /// The most bytes of a file.
    private static let largest = 64 << 20

    /// The bytes of a file.
    ///
    /// Throws `TextFormatError`, or `CommandError` if it cannot be read.
    static func bytes(of path: String) throws -> [UInt8] {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            let bytes = try file.read(upToCount: largest + 1) ?? Data()
            guard bytes.count <= largest else {
                throw TextFormatError(
                    .tooLarge,
                    "It has over \(largest) bytes, and that is the most that is read. Split it into smaller files.")
            }
            return [UInt8](bytes)
        } catch let error as TextFormatError { throw error } catch {
            throw TextFormatError(.unreadable, "It cannot be read: \(error.systemText)")
        }
    }

    init(calendar bytes: [UInt8], named file: String, zone: String) throws(TextFormatError) {
        let calendar = try CalendarItems(reading: bytes, zone: zone)
        let provider = "icalendar"
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
        trips = calendar.trips.map {
            ForeignTrip(id: $0.id, name: $0.name, place: "line \($0.line)", days: $0.days, exported: $0)
        }
        isExport = !trips.isEmpty || entries.contains { $0.origin != nil }
        warnings = calendar.warnings.texts
        skipped = calendar.skipped
        digest = Self.digest(bytes)
    }

    init(
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
        (trips, skipped, isExport, digest) = ([], 0, false, Self.digest(bytes))
        warnings = mapping.hasKey ? [] : [warning]
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
