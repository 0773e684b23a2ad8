/// A record of a well-formed export that cannot be used: it is left out, its neighbours are kept.
public struct ExportProblem: Sendable, Hashable {
    /// The field at fault when one field is, else the record.
    public let place: Place
    /// What is wrong, as a sentence without the place; several faults of one record are joined by semicolons.
    public let reason: String

    /// Makes a problem from its parts.
    public init(place: Place, reason: String) {
        self.place = place
        self.reason = reason
    }
}

extension ExportProblem: CustomStringConvertible {
    /// The place and the reason on one line.
    public var description: String { "\(place): \(reason)" }
}
