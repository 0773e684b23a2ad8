import EventLog
import TripStore

/// The items that the store holds of series of which a file has a single time, or none.
struct HeldSeries {
    private struct Member {
        let entity: EntityReference
        /// The starts that imports gave it, the newest first.
        let starts: [CalendarSeries.Start?]
    }

    /// The most series of a file that are looked up: each takes some hundred lookups.
    private static let most = 1_000

    /// Half a day, in milliseconds.
    private static let furthest: UInt64 = 43_200_000

    private let provider: String
    private var known: [String: [Member]] = [:]
    private var isFull = false

    init(provider: String) { self.provider = provider }

    /// The items of a series; only the one to which imports gave a start, if that is named: where several had it, the one that had it last.
    /// If none had it, the one that had the nearest within half a day: a series may have moved since.
    mutating func items(of series: CalendarSeries, _ sender: ImportSender) throws -> [EntityReference] {
        let members = try members(of: series, sender)
        guard let start = series.start else { return members.map(\.entity) }
        let found = members.compactMap { member in
            member.starts.firstIndex(of: start).map { (age: $0, entity: member.entity) }
        }
        if let newest = found.min(by: { $0.age < $1.age }) { return [newest.entity] }
        let distances = members.compactMap { member in
            member.starts.compactMap { $0?.distance(to: start) }.min().map { (distance: $0, entity: member.entity) }
        }
        let nearest = distances.min { $0.distance < $1.distance }
        return nearest.map { $0.distance < Self.furthest ? [$0.entity] : [] } ?? []
    }

    private mutating func members(of series: CalendarSeries, _ sender: ImportSender) throws -> [Member] {
        if let members = known[series.uid] { return members }
        guard known.count < Self.most else {
            if !isFull {
                sender.tally.warn(
                    "Of over \(Self.most) series the file has a single time: those of others are taken as items by themselves."
                )
            }
            isFull = true
            return []
        }
        try sender.checkOpen()
        let candidates = series.names.flatMap { ForeignFile.candidates(provider, $0, .activity) }
        let state = try ImportState(candidates, sender.basis, in: sender.store)
        let entities = candidates.filter { state.created($0) != nil }
        let versions = try sender.store.importedVersions(of: entities, sender.basis.history)
        let members = entities.map { entity in
            let starts = (versions[entity] ?? []).reversed().map { record in
                TripItem(entity, record: record).flatMap { CalendarSeries.Start($0.start, $0.startDay) }
            }
            return Member(entity: entity, starts: starts)
        }
        known[series.uid] = members
        return members
    }
}
