import Events

/// Which attachments' bytes an exchange brings here before anybody asks for them.
public enum AttachmentPolicy: Sendable, Hashable {
    /// None: `TripStore.fetch(_:from:)` brings what is asked for.
    case onDemand
    /// Attachments of at most that many bytes.
    case ahead(upTo: Int64)

    /// All of them.
    public static let all = AttachmentPolicy.ahead(upTo: ContentID.largestSize)

    func includes(_ content: ContentID) -> Bool {
        switch self {
        case .onDemand: false
        case .ahead(let most): content.size <= most
        }
    }
}
