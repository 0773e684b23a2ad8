import TripStore

/// The marks in lists of what has a value that superseded another unseen.
struct ConflictMarks {
    /// So many of a list are looked at: each takes the reading of its history.
    private static let most = 1000

    private let marked: Set<EntityReference>

    /// None as of another moment: what is in conflict is a fact of now.
    init(_ entities: [EntityReference], in source: any TripQuerying) throws {
        marked = try (source as? TripStore).map { Set(try $0.openConflicts(of: entities.prefix(Self.most)).keys) } ?? []
    }

    /// A name with its mark.
    func shown(_ name: String, of entity: EntityReference) -> String { marked.contains(entity) ? "* \(name)" : name }

    func explain() {
        guard !marked.isEmpty else { return }
        Console.current.note("* has a value that superseded another unseen: 'tripstore conflicts' lists them.")
    }
}
