/// The kinds of records whose left-out number is reported.
public enum RecordKind: Sendable, Hashable {
    case trip
    case item(ExportedItem.Kind)
    case organization
    case attachment
}

/// An unusable record of a well-formed export: it is left out, its neighbours are kept.
public struct ExportProblem: Sendable, Hashable {
    /// The field at fault if it is one field, otherwise the record.
    public let place: Place
    /// The fault, as a sentence without the place; several faults of one record are joined by semicolons.
    public let reason: String

    /// The records that are left out for it, by kind: none if a field or a listed id alone is at fault.
    public let leftOut: [RecordKind: Int]

    /// Makes a problem from its parts.
    public init(place: Place, reason: String, leftOut: [RecordKind: Int] = [:]) {
        self.place = place
        self.reason = reason
        self.leftOut = leftOut
    }
}

extension ExportProblem: CustomStringConvertible {
    /// The place and the reason on one line.
    public var description: String { "\(place): \(reason)" }
}

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
