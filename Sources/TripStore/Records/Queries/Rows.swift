public import EventLog
public import Trips

/// The rows of a query's result, all of them or a page: what queries of a store return that list something.
public struct Rows<Row: Sendable>: Sendable, RandomAccessCollection {
    public let rows: [Row]
    /// The cursor of the next page; nil if there are no further rows.
    public let next: PageCursor?
    /// Whether all that there is was looked at. A search whose words all begin more than 200,000 others is answered from a part.
    public let isComplete: Bool
    /// The position of the log that the rows reflect.
    public let position: Position
    /// The update of the program that is needed to see everything: the rows may lack what commits of a newer version say. Nil if this
    /// version reads all commits that count, and of lists that are not made of what commits say, such as peers and members.
    public let neededUpdate: NeededUpdate?

    init(
        _ rows: [Row], next: PageCursor? = nil, isComplete: Bool = true, _ position: Position,
        needing neededUpdate: NeededUpdate? = nil
    ) {
        self.rows = rows
        self.next = next
        self.isComplete = isComplete
        self.position = position
        self.neededUpdate = neededUpdate
    }

    /// The same result, which nothing up to a later position changed.
    func at(_ position: Position) -> Rows {
        Rows(rows, next: next, isComplete: isComplete, position, needing: neededUpdate)
    }

    public var startIndex: Int { rows.startIndex }
    public var endIndex: Int { rows.endIndex }
    public subscript(index: Int) -> Row { rows[index] }
}

extension Rows: Equatable where Row: Equatable {}

/// A page of rows with the entities that belong to them, of the same snapshot.
public struct RelatedRows<Row: TripEntity, Related: Hashable & Sendable>: Hashable, Sendable {
    public let rows: [Row]
    /// The cursor of the next page; nil if there are no further rows.
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
