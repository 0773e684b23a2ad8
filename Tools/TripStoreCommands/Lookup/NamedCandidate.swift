import Foundation
import TripFormats
import TripStore

/// One of several entities that an argument may mean.
struct NamedCandidate {
    let entity: EntityReference
    /// The trip that it is or belongs to, deleted or not.
    private let trip: Trip?
    /// The names of what it belongs to, the nearest first.
    private let parents: [String]
    private let day: Day?

    init(_ entity: EntityReference, in views: borrowing TripViews) throws {
        self.entity = entity
        let ancestors = try views.ancestors(of: entity)
        let id = ([entity] + ancestors).lazy.compactMap { Trip.ID($0) }.first
        trip = try id.flatMap { id in try views.record(of: id.reference).map { Trip(id: id, record: $0) } }
        parents = try ancestors.map { parent in
            try views.record(of: parent).map { parent.name(of: $0, in: Console.current.known) } ?? ""
        }.filter { !$0.isEmpty }
        let record = try views.record(of: entity)
        let item = record.flatMap { TripItem(entity, record: $0) }
        let entry = try ChecklistEntry.ID(entity).flatMap { try views.entity($0) }
        let course = try item.map { item in
            ItemCourse(item, try item.trip.map { TripClocks(try views.items(of: $0).rows) } ?? .own)
        }
        day = course?.first ?? course?.last ?? entry?.dueDay ?? trip?.startDay
    }

    /// As in "activity in 'Lisbon', Sat 1 May 2027".
    var words: String {
        let places = parents.isEmpty ? "" : " in " + parents.map { "'\($0)'" }.joined(separator: " of ")
        return entity.kindWords + places + (day.map { ", \(DayText.words($0))" } ?? "")
    }

    /// The shortest beginning of its id that no other entity has, and its words.
    func line(in views: borrowing TripViews) throws -> String {
        "\(try ShortIDs.text(of: entity.id, in: views))  \(words)"
    }

    /// How current it is, the most current first: of a trip under way; of one to come, without days or none; of a past one; of an archived one.
    func rank(on today: Day) -> Int {
        guard let trip else { return 1 }
        if trip.archivedAt != nil { return 3 }
        guard let first = trip.startDay ?? trip.effectiveEndDay, let last = trip.effectiveEndDay ?? trip.startDay else {
            return 1
        }
        return last < today ? 2 : first <= today ? 0 : 1
    }
}

extension TripViews {
    /// Whether an entity is a trip, belongs to it, or is a traveller of it.
    func isPart(_ entity: EntityReference, of trip: Trip.ID) throws -> Bool {
        if entity == trip.reference { return true }
        if let traveller = Traveller.ID(entity) { return try self.entity(trip)?.travellers.contains(traveller) == true }
        return try ancestors(of: entity).contains(trip.reference)
    }
}
