import Events
public import Foundation

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

/// The availability of an attachment's bytes in this store.
public enum AttachmentState: Sendable, Hashable {
    /// Here: a file that must not be changed.
    case here(URL)
    /// Not here. An exchange with a replica that has them brings them.
    case missing
    /// Not readable here, and why: it is not known whether the bytes are here.
    case unreadable(String)
    /// Given up for ever, on purpose.
    case discarded(Date)
    /// The attachment names no bytes.
    case none
}
