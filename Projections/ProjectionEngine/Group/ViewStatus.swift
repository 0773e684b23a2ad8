public import EventLog
public import Events

/// A view's name, version, and row count.
public struct ViewStatus: Sendable, Hashable {
    public let name: String
    public let version: UInt32
    public let position: Position
    public let rows: Int
    /// Nil unless requested.
    public let digest: Digest?
}

extension ViewStatus {
    /// The state of the entities' view and of those of the projections, in this order.
    static func all(
        of projections: [any Projection], in views: borrowing ViewSnapshot, digests: Bool
    ) throws -> [ViewStatus] {
        var found: [ViewStatus] = []
        for (name, version) in [(Generation.entitiesName, UInt32(1))] + projections.map({ ($0.name, $0.version) }) {
            found.append(
                ViewStatus(
                    name: name, version: version, position: views.position, rows: try views.rowCount(of: name),
                    digest: digests ? try views.digest(of: name) : nil))
        }
        return found
    }
}
