public import Events
public import Foundation
public import LogExchange

/// The other side of an exchange.
public enum ExchangeTarget: Sendable {
    /// The store in another folder of this machine.
    case folder(URL)
    /// A bundle file, which is only read.
    case bundle(URL)
    /// Another store of this process.
    case store(TripStore)
    /// A replica that is reached by a carrier of the app or of another library.
    case peer(any ExchangePeer)
    /// A server that a transport reaches, as for `TripStore.stayInSync(with:options:)`. Of a founded journal it serves members, and
    /// replicas with an invitation.
    case connector(any FrameConnector)

    /// The target at a path: a store's folder, or otherwise a bundle file.
    public static func path(_ url: URL) -> ExchangeTarget {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        return exists && !isFolder.boolValue ? .bundle(url) : .folder(url)
    }
}

/// The reader of a bundle.
public enum BundleAudience: Sendable {
    /// A reader that has nothing: the bundle has everything.
    case anyone
    /// A reader that holds a frontier: the bundle has only what is beyond it.
    case holder(of: Frontier)
    /// A replica that was met before: the bundle has only what it has not acknowledged.
    case replica(ReplicaID)
}
