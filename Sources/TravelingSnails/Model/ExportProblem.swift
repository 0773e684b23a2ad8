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
    /// What is wrong, as a sentence without the place; several faults of one record are joined by semicolons.
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
