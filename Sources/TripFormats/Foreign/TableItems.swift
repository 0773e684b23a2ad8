public import TripStore

/// The items that a table describes, by a mapping of its columns.
public struct TableItems: Sendable {
    public struct Entry: Sendable {
        /// The name of the row, unique among the rows of its source.
        public let externalID: String
        public let item: ForeignItem
        public let line: Int
    }

    public private(set) var entries: [Entry] = []
    /// Rows that are left out, each because of the cell that the error names.
    public private(set) var faults: [TextFormatError] = []
    /// Sentences for people about what was passed over or guessed.
    public let notes: [String]

    /// Reads a table. A row with a cell that cannot be read is left out. O(bytes).
    ///
    /// - Parameters:
    ///   - zone: of times whose row names none.
    ///   - currency: of costs whose row names none, and of signs of several currencies if it has the sign.
    /// - Throws: `TextFormatError` if the table has none of the columns, is cut off inside of quotes, is too large or is no text.
    public init(
        reading bytes: [UInt8], _ mapping: TableMapping, zone: String, currency: Currency
    ) throws(TextFormatError) {
        var reading = try TableReading(
            TableSource(bytes, mapping), mapping, zone: zone, currency: currency)
        notes = reading.notes
        while let row = try reading.next() {
            switch row {
            case .entry(let entry): entries.append(entry)
            case .fault(let fault): faults.append(fault)
            }
        }
    }
}
