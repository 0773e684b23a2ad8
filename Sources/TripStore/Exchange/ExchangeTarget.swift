public import Events
public import Foundation
public import LogExchange

/// With whom a store exchanges.
public enum ExchangeTarget: Sendable {
    /// The store in another folder of this machine.
    case folder(URL)
    /// A bundle file, which gives and takes nothing.
    case bundle(URL)
    /// Another store of this process.
    case store(TripStore)
    /// Whoever is reached by a carrier of the app's or of another library.
    case peer(any ExchangePeer)

    /// What a path leads to: a store's folder, or else a bundle file.
    public static func path(_ url: URL) -> ExchangeTarget {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        return exists && !isFolder.boolValue ? .bundle(url) : .folder(url)
    }
}

/// For whom a bundle is written.
public enum BundleAudience: Sendable {
    /// Whoever has nothing: everything is in it.
    case anyone
    /// Whoever holds a frontier: only what lies beyond it.
    case holder(of: Frontier)
    /// A replica that was met before: only what it has not acknowledged.
    case replica(ReplicaID)
}
