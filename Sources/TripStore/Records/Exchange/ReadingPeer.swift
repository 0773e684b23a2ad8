import EventLog
import Foundation
import LMDB
import LogExchange

/// A peer that is only read: it gets no commits, and does not learn this replica's id.
struct ReadingPeer: ExchangePeer {
    private let peer: any ExchangePeer
    /// The copy that is read, if it is not the original.
    private let scratch: ScratchFolder?
    /// Those of the original: a copy has the log alone.
    let contents: (any ContentPeer)?

    init(_ peer: any ExchangePeer) {
        self.peer = peer
        scratch = nil
        contents = peer.contents
    }

    /// The store in a folder that cannot be written to: in place or, if its log must be recovered first, a copy of it.
    ///
    /// Throws what `StoreLayout.reading` throws.
    init(copyOf folder: URL, _ dependencies: Dependencies) async throws {
        let (log, scratch) = try await WorkerThread(name: "tripstore.opener").run {
            try StoreLayout(folder).reading {
                try $0.openLog(
                    Log.Options(environment: Environment.Options(.reading), dependencies: dependencies))
            }
        }
        peer = LogPeer(log)
        self.scratch = scratch
        contents = FolderContents(ContentFolder(StoreLayout(folder).attachments, now: { log.wallClock }))
    }

    func greet(_ greeting: Greeting) async throws -> Greeting {
        // By this side's clock the other would renew its line: that writes.
        var greeting = greeting
        greeting.clock = nil
        var response = try await peer.greet(greeting)
        response.isWritable = false
        return response
    }

    var required: Frontier { peer.required }

    func frontier() async throws -> Frontier { try await peer.frontier() }

    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        try await peer.segments(request, body)
    }

    func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        throw ExchangeError(.notWritable, "The other is only read from.")
    }

    func acknowledge(_ acknowledgement: Acknowledgement) async throws {}

    func holes(after: Digest?) async throws -> [Hole]? { try await peer.holes(after: after) }
}
