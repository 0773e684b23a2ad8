import Events
import Foundation
import Trips

/// Trips that are there twice.
extension DiagnosisRun {
    mutating func checkDuplicates(in store: TripStore) {
        check("the trips for duplicates") { run in
            var groups: [TripLikeness.Key: [Trip.ID]] = [:]
            try store.forEachTrip { trip in
                if let key = TripLikeness.Key(trip) { groups[key, default: []].append(trip.id) }
            }
            let alike = groups.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
            for group in alike {
                let trips = try store.read { views in try group.compactMap { try TripLikeness($0, views) } }
                for (_, same) in Dictionary(grouping: trips, by: \.fields).sorted(by: {
                    $0.value[0].id < $1.value[0].id
                })
                where same.count > 1 {
                    run.add(same.sorted(by: TripLikeness.isKeptBefore))
                }
            }
        }
    }

    /// Trips with the same fields, of which the first is kept.
    private mutating func add(_ trips: [TripLikeness]) {
        var withContents: [TripLikeness.Contents: TripLikeness] = [:]
        for (index, trip) in trips.enumerated() {
            if trip.isEmpty {
                guard index > 0 else { continue }
                let first = trips[0]
                add(
                    .duplicateTrip,
                    "'\(trip.name)' is there twice: \(trip.id) has the fields of \(first.id), and nothing belongs to it.",
                    [trip.id.reference, first.id.reference],
                    repair: trip.isRepairable(by: first) ? "delete \(trip.id)" : nil)
            } else if let first = withContents[trip.contents] {
                add(
                    .duplicateTrip,
                    "'\(trip.name)' is there twice: \(trip.id) has the fields and the \(trip.contents.count.counted("item")) of \(first.id).",
                    [trip.id.reference, first.id.reference])
            } else {
                withContents[trip.contents] = trip
            }
        }
    }
}

/// A trip without its ids and times of writing, so that copies of it are equal.
struct TripLikeness {
    /// What trips must have in common to be compared. Trips without a name or without days are drafts.
    struct Key: Hashable {
        let name: String
        let startDay: Day?
        let endDay: Day?

        init?(_ trip: Trip) {
            guard !trip.name.isEmpty, trip.startDay != nil || trip.endDay != nil else { return nil }
            (name, startDay, endDay) = (trip.name, trip.startDay, trip.endDay)
        }
    }

    struct Contents: Hashable {
        var items: [TripItem: Int] = [:]
        /// The bytes of its attachments.
        var files: [ContentID?: Int] = [:]
        /// By kind.
        var others: [EntityKindName: Int] = [:]

        var count: Int { items.values.reduce(0, +) }
    }

    typealias EntityKindName = String

    let id: Trip.ID
    let name: String
    let createdAt: Date?
    /// With an id that all have.
    let fields: Trip
    /// The values of its single fields as they are stored, also those of newer versions and parts that this one does not read.
    private let stored: [UInt64: [UInt8]]
    /// The elements of fields that this version does not know.
    private let unknown: [FieldPath: [UInt8]]
    private(set) var contents = Contents()

    var isEmpty: Bool { contents == Contents() }

    private static let noID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// Nil if it is not there.
    init?(_ id: Trip.ID, _ views: borrowing TripViews) throws {
        guard let trip = try views.entity(id) else { return nil }
        (self.id, name, createdAt) = (id, trip.name, trip.createdAt)
        (stored, unknown) = try Self.stored(of: id, views)
        fields = trip.copied(as: Trip.ID(Self.noID))
        for item in try views.items(of: id) { contents.items[Self.likeness(item), default: 0] += 1 }
        for entity in try views.ownEntities(in: id.reference) {
            if let file = AttachedFile.ID(entity.reference) {
                contents.files[try views.entity(file)?.content, default: 0] += 1
            } else {
                contents.others["\(entity.reference.kind) \(entity.name(in: views.known))", default: 0] += 1
            }
        }
    }

    /// Elements of lists that this version knows have random keys, and are compared as it reads them.
    private static func stored(
        of id: Trip.ID, _ views: borrowing TripViews
    ) throws -> (stored: [UInt64: [UInt8]], unknown: [FieldPath: [UInt8]]) {
        var (stored, unknown): ([UInt64: [UInt8]], [FieldPath: [UInt8]]) = ([:], [:])
        guard let record = try views.snapshot.record(of: id.reference) else { return (stored, unknown) }
        var registers = record.registers
        while let register = try registers.next() {
            guard let value = register.value.map({ [UInt8]($0) }) else { continue }
            if register.key.isEmpty {
                stored[register.field] = value
            } else if !register.isOwn, Trip.fieldName(of: register.field) == nil {
                unknown[FieldPath(field: register.field, key: [UInt8](register.key))] = value
            }
        }
        return (stored, unknown)
    }

    /// Whether nothing is lost if it is deleted and another with the same fields is kept.
    func isRepairable(by kept: TripLikeness) -> Bool {
        !fields.isProtected && stored == kept.stored && unknown == kept.unknown
    }

    private static func likeness(_ item: TripItem) -> TripItem {
        func copied<Kind: ItemKind>(_ item: Item<Kind>) -> Item<Kind> {
            var copy = item.copied(as: Item<Kind>.ID(noID))
            copy.trip = nil
            return copy
        }
        return switch item {
        case .activity(let item): .activity(copied(item))
        case .lodging(let item): .lodging(copied(item))
        case .transportation(let item): .transportation(copied(item))
        }
    }

    /// Those to which something belongs come first, then the oldest.
    static func isKeptBefore(_ a: TripLikeness, _ b: TripLikeness) -> Bool {
        if a.isEmpty != b.isEmpty { return b.isEmpty }
        let (first, second) = (a.createdAt ?? .distantFuture, b.createdAt ?? .distantFuture)
        return first != second ? first < second : a.id < b.id
    }
}

extension TripStore {
    /// Returns whether the finding still held.
    func repair(_ finding: StoreFinding, by authorship: Authorship) async throws -> Bool {
        guard let entity = finding.entities.first else { return false }
        switch (finding.code, entity.kind) {
        case (.duplicateTrip, .trip):
            guard let kept = finding.entities.last, kept != entity else { return false }
            return try await delete(Trip.ID(entity.id), asDuplicateOf: Trip.ID(kept.id), by: authorship)
        default: return false
        }
    }

    private func delete(_ id: Trip.ID, asDuplicateOf kept: Trip.ID, by authorship: Authorship) async throws -> Bool {
        let versions: [Trip.ID: EntityVersion]? = try read { views in
            guard let trip = try TripLikeness(id, views), let other = try TripLikeness(kept, views), trip.isEmpty,
                trip.fields == other.fields, trip.isRepairable(by: other)
            else { return nil }
            return [id: try views.version(of: id), kept: try views.version(of: kept)]
        }
        guard let versions else { return false }
        try await append([.deleted(id)], by: authorship, expecting: versions)
        return true
    }
}
