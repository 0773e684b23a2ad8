public import Foundation

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
