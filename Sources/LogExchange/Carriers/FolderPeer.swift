public import EventLog
public import Events
public import Foundation
public import LMDB
import Platform

/// Another store's folder on this machine.
///
/// It is opened as one of that store's own processes would open it, beside any process that has it open: commits are
/// checked and appended there and its line is signed with its key. If the log's file is not writable, but its lock file
/// is, the signed part is read.
public struct FolderPeer: ExchangePeer {
    private let peer: LogPeer
    private let found: (replica: ReplicaID, change: IdentityChange?)
    /// Why that store goes on as another replica from now on: it was copied or restored, or its clock was wrong. Nil if it does not.
    public var identityChange: IdentityChange? {
        peer.log.replica == found.replica ? found.change : (try? peer.log.lastIdentityChange()) ?? found.change
    }

    /// Opens the log of the store in a folder. Blocks a thread of its own.
    ///
    /// Throws `ExchangeError.notAStore`, `.sameStore` if it is `log`'s own, or what opening a log throws.
    public init(
        _ folder: URL, for log: Log, dependencies: Dependencies = .system,
        mapSize: Int = Environment.Options.defaultMapSize
    ) async throws {
        let path = folder.path + "/log"
        guard try Folder.holds(path + "/data.mdb") else {
            throw ExchangeError(.notAStore, "There is no store at \(folder.path). Check the path.")
        }
        guard FileIdentity(path: path + "/data.mdb") != FileIdentity(path: log.path + "/data.mdb") else {
            throw ExchangeError(
                .sameStore, "\(folder.path) is the very store that is to exchange with it. Name another one.")
        }
        let isWritable = FileManager.default.isWritableFile(atPath: path + "/data.mdb")
        let opener = WorkerThread(name: "tripstore.opener")
        let outlivesParent = log.outlivesParent
        let opened = try await opener.run {
            // Opening for writing would create a log in a folder that is none, and this folder belongs to another
            // store.
            do { try Self.open(folder.path, dependencies, mapSize, readOnly: true) } catch let error as EventLogError
                where error.code == .notALog || error.code == .unfinished
            {
                throw ExchangeError(
                    .notAStore,
                    error.code == .unfinished
                        ? "\(folder.path) is a store whose creation was cut off: there is nothing to exchange."
                        : "\(folder.path) is a folder of something else than a store. Check the path.",
                    cause: error)
            }
            return try Self.open(
                folder.path, dependencies, mapSize, readOnly: !isWritable, outlivesParent: outlivesParent)
        }
        peer = LogPeer(opened, writesAtOnce: true)
        found = (opened.replica, opened.identityChange)
    }

    @discardableResult
    private static func open(
        _ folder: String, _ dependencies: Dependencies, _ mapSize: Int, readOnly: Bool,
        outlivesParent: @escaping @Sendable (EntityReference) -> Bool = { _ in false }
    ) throws -> Log {
        var options = Log.Options(
            environment: Environment.Options(readOnly ? .reading : .creating, mapSize: mapSize),
            dependencies: dependencies)
        options.outlivesParent = outlivesParent
        return try Log.open(at: folder + "/log", keyPath: folder + "/replica.key", options: options)
    }

    public func greet(_ greeting: Greeting) async throws -> Greeting { try await peer.greet(greeting) }

    public func frontier() async throws -> Frontier { try await peer.frontier() }

    public func lastPosition() async throws -> Position? { try await peer.lastPosition() }

    public func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        try await peer.segments(request, body)
    }

    public func store(_ segments: [LineSegment]) async throws -> Acknowledgement { try await peer.store(segments) }

    public func acknowledge(_ acknowledgement: Acknowledgement) async throws {
        try await peer.acknowledge(acknowledgement)
    }

    public func holes(after: Digest?) async throws -> [Hole]? { try await peer.holes(after: after) }

    public var contents: (any ContentPeer)? { peer.contents }

    public func welcome(_ replica: ReplicaID, as role: MemberRole) async throws -> Bool {
        try await peer.welcome(replica, as: role)
    }
}
