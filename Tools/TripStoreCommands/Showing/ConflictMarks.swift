import TripStore

/// The marks in lists of what has a value that superseded another unseen.
struct ConflictMarks {
    /// So many of a list are looked at: each takes the reading of its history.
    private static let most = 1000

    private let checked: Set<EntityReference>
    private let marked: Set<EntityReference>

    /// None as of another moment: what is in conflict is a fact of now.
    /// - Parameter count: how many of the list come before these.
    init(_ entities: [EntityReference], after count: Int = 0, in source: any TripQuerying) throws {
        guard let store = source as? TripStore else {
            (checked, marked) = ([], [])
            return
        }
        checked = Set(entities.prefix(max(0, Self.most - count)))
        marked = Set(try store.openConflicts(of: checked).keys)
    }

    /// A name with its mark.
    func shown(_ name: String, of entity: EntityReference) -> String { marked.contains(entity) ? "* \(name)" : name }

    /// The style of what has a mark; nil for all else.
    func style(of entity: EntityReference) -> TextStyle? { marked.contains(entity) ? .conflict : nil }

    /// Null for what was not looked at.
    func json(of entity: EntityReference) -> JSON { checked.contains(entity) ? .bool(marked.contains(entity)) : .null }

    func explain() {
        guard !marked.isEmpty else { return }
        Console.current.note("* has a value that superseded another unseen: 'tripstore conflicts' lists them.")
    }
}
