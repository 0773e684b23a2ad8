public import EventLog

/// How one list of rows became another.
public struct RowChanges<ID: Hashable & Sendable>: Sendable, Hashable {
    /// The rows that were not there before, in the order of the new list.
    public let inserted: [ID]
    /// The rows that are there no more, in the order of the old list.
    public let removed: [ID]
    /// The rows that are on both sides and hold something else now, in the order of the new list.
    public let changed: [ID]

    /// O(rows). Rows are taken to be on a list once.
    public init<Row: Identifiable & Equatable>(from old: [Row], to new: [Row]) where Row.ID == ID {
        var before = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var inserted: [ID] = []
        var changed: [ID] = []
        for row in new {
            guard let previous = before.removeValue(forKey: row.id) else {
                inserted.append(row.id)
                continue
            }
            if previous != row { changed.append(row.id) }
        }
        self.inserted = inserted
        self.changed = changed
        removed = old.map(\.id).filter { before[$0] != nil }
    }

    public var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && changed.isEmpty }
}

/// The rows of a live query, and how they differ from those of the update before.
public struct LiveRows<Row: Identifiable & Equatable & Sendable>: Sendable where Row.ID: Sendable {
    public let rows: [Row]
    /// Where the next page begins, if the query is for a page; nil if there is none.
    public let next: PageCursor?
    /// Up to which commit of the log the rows hold.
    public let position: Position
    /// What is otherwise than in the update before; in the first, every row is inserted.
    public let changes: RowChanges<Row.ID>
}
