public import EventLog
public import Trips

/// A page of rows with the entities that belong to them, of the same snapshot.
public struct RelatedRows<Row: TripEntity, Related: Hashable & Sendable>: Hashable, Sendable {
    public let rows: [Row]
    /// Where the next page begins; nil if there are no further rows.
    public let next: PageCursor?
    /// The update of the program that is needed to see everything, as `Rows.neededUpdate`.
    public let neededUpdate: NeededUpdate?
    private let related: [Row.ID: Related]

    init(_ page: Rows<Row>, _ related: [Row.ID: Related]) {
        rows = page.rows
        next = page.next
        neededUpdate = page.neededUpdate
        self.related = related
    }

    /// The related entity of a row; nil if it names none, or one that is not there.
    public subscript(row: Row) -> Related? { related[row.id] }
}
