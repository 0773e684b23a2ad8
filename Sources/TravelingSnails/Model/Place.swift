/// A location in an export file, in the two ways a person looks for it: as a path of JSON keys and as a line.
public struct Place: Sendable, Hashable {
    /// The JSON path, such as `trips[3].embeddedTransportation[0].start`; empty for the root of the file.
    public let path: String
    /// The line, counted from 1 by line feeds.
    public let line: Int
    /// The column, counted from 1 in bytes of UTF-8 (a letter outside ASCII counts for more than one).
    public let column: Int
    /// The bytes of the file before this place.
    public let offset: Int64

    /// The start of a file: the place of records that come from no file.
    public static let start = Place(path: "", line: 1, column: 1, offset: 0)

    /// Makes a place from its parts.
    public init(path: String, line: Int, column: Int, offset: Int64) {
        self.path = path
        self.line = line
        self.column = column
        self.offset = offset
    }
}

extension Place: CustomStringConvertible {
    /// Path and line, such as `trips[3].embeddedTransportation[0] (line 812)`; line and column alone at the root.
    public var description: String {
        path.isEmpty ? "line \(line), column \(column)" : "\(path) (line \(line))"
    }
}
