import ProjectionEngine
import TripProjections
import Trips

/// An index, and whether queries can use it.
public struct IndexStatus: Sendable, Hashable {
    /// Whether an index can be used. New states may be added.
    public enum State: Sendable, Hashable {
        /// It has the rows of all entities.
        case ready
        /// It is being made of so many entities, of which some are done.
        case building(done: UInt64, total: UInt64)
        /// This process asked for it, and the views do not have it: another version of the library dropped it, or making it failed. Queries do
        /// without; the store makes it again with a write some minutes later, or when it is opened the next time.
        case missing
    }

    /// Its kind and its fields, as in "book by title": as `explain` names it.
    public let name: String
    public let state: State
    /// How many entities it has; nil unless requested.
    public let rows: Int?
}

extension TripViews {
    /// The indexes that are there, and those that are wanted and are not, by name. O(indexes), with rows O(rows).
    func indexes(
        wanted: [[UInt8]], building progress: BuildProgress?, countingRows: Bool
    ) throws -> [IndexStatus] {
        let attached = try snapshot.attachedViews
        let present = (attached.projection as? IndexProjection)?.indexes ?? []
        var found = try present.map { index in
            IndexStatus(
                name: index.definition.name(in: known), state: .ready, rows: countingRows ? try count(index.view) : nil)
        }
        let attachedDefinitions = Set(attached.views.map(\.definition))
        for definition in wanted.filter({ !attachedDefinitions.contains($0) }).compactMap({ IndexDefinition($0) }) {
            let state = progress.map { IndexStatus.State.building(done: $0.done, total: $0.total) } ?? .missing
            found.append(IndexStatus(name: definition.name(in: known), state: state, rows: nil))
        }
        return found.sorted { $0.name < $1.name }
    }

    private func count(_ view: AttachedViews.View) throws -> Int {
        var count = 0
        let rows = try snapshot.scan(view, KeyBounds(prefix: []))
        while try rows.next() != nil { count += 1 }
        return count
    }
}
