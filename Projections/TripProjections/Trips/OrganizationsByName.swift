public import Events
public import ProjectionEngine
public import Trips

/// Organizations by name, regardless of the case of ASCII letters.
///
/// Key: the name's UTF-8, in lower case as far as ASCII goes, cut to 200 bytes ‖ 0 ‖ id (16). No value.
public struct OrganizationsByName: Projection {
    public let name = "organizations-by-name"
    public let version: UInt32 = 1
    public let source = RowSource.entities

    private static let nameLimit = 200

    public init() {}

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard let id = Organization.ID(entity), try record.isPresent() else { return }
        let organization = try Organization(id: id, record: record)
        sink.put(KeyPart.text(organization.name, upTo: Self.nameLimit) + [0] + id.uuid.bytes)
    }

    /// The organizations whose name begins with a text, in order. O(results).
    public static func organizations(
        named prefix: String, limit: Int, in views: borrowing ViewSnapshot
    ) throws -> [Organization.ID] {
        let prefix = KeyPart.text(prefix, upTo: nameLimit)
        var found: [Organization.ID] = []
        let scan = try views.scan("organizations-by-name", KeyBounds(prefix: prefix))
        while found.count < limit, let row = try scan.next() {
            guard row.key.count >= max(17, prefix.count) else { continue }
            found.append(Organization.ID(row.key.uuid(at: row.key.count - 16)))
        }
        return found
    }
}
