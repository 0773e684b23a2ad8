public import EventLog

/// The rows of a query's result, all of them or a page: what queries of a store return that list something.
public struct Rows<Row: Sendable>: Sendable, RandomAccessCollection {
    public let rows: [Row]
    /// Where the next page begins; nil if there are no further rows.
    public let next: PageCursor?
    /// The position of the log that the rows reflect.
    public let position: Position

    init(_ rows: [Row], next: PageCursor? = nil, _ position: Position) {
        self.rows = rows
        self.next = next
        self.position = position
    }

    public var startIndex: Int { rows.startIndex }
    public var endIndex: Int { rows.endIndex }
    public subscript(index: Int) -> Row { rows[index] }
}

extension Rows: Equatable where Row: Equatable {}
