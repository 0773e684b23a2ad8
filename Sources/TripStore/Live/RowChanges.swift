public import EventLog

/// The difference between two lists of rows.
public struct RowChanges<ID: Hashable & Sendable>: Sendable, Hashable {
    /// The new rows, in the order of the new list.
    public let inserted: [ID]
    /// The rows that are gone, in the order of the old list.
    public let removed: [ID]
    /// The rows in both lists with changed content, in the order of the new list.
    public let changed: [ID]

    /// O(rows). A row must be in a list only once.
    package init<Row: Identifiable & Equatable>(from old: [Row], to new: [Row]) where Row.ID == ID {
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

/// The rows of a live query, and their changes since the previous update.
public struct LiveRows<Row: Identifiable & Equatable & Sendable>: Sendable where Row.ID: Sendable {
    public let rows: [Row]
    /// The cursor of the next page, if the query is for a page; nil if there is none.
    public let next: PageCursor?
    /// Whether all that there is was looked at, as `Rows.isComplete`.
    public let isComplete: Bool
    /// The position of the log that the rows reflect.
    public let position: Position
    /// The update of the program that is needed to see everything, as `Rows.neededUpdate`: the rows come again when it changes.
    public let neededUpdate: NeededUpdate?
    /// The changes since the previous update; in the first, every row is inserted.
    public let changes: RowChanges<Row.ID>
}
