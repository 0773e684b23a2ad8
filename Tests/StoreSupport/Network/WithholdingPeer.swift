public import Events
public import LogExchange

@testable public import EventLog

/// A carrier that takes the payloads out of segments on their way to whoever asks, each under an erasure of a key of its own, which counts
/// for nobody; and to its peer, if it is to.
public struct WithholdingPeer: ExchangePeer {
    private let peer: any ExchangePeer
    private let isFile: Bool
    private let seed: UInt8

    /// As a file, which has no clock, it says nothing of the present.
    public init(_ log: Log, asFile isFile: Bool = false, seed: UInt8 = 6) {
        self.init(LogPeer(log), asFile: isFile, seed: seed)
    }

    public init(_ peer: any ExchangePeer, asFile isFile: Bool = false, seed: UInt8 = 6) {
        self.peer = peer
        self.isFile = isFile
        self.seed = seed
    }

    public func greet(_ greeting: Greeting) async throws -> Greeting {
        var response = try await peer.greet(greeting)
        if isFile { response.clock = nil }
        return response
    }

    public func frontier() async throws -> Frontier { try await peer.frontier() }

    public func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        try await peer.segments(request) { try await body(try $0.withheld(seed: seed)) }
    }

    public func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        try await peer.store(try segments.map { try $0.withheld(seed: seed) })
    }

    public func acknowledge(_ acknowledgement: Acknowledgement) async throws {
        try await peer.acknowledge(acknowledgement)
    }

    public func holes(after: Digest?) async throws -> [Hole]? { try await peer.holes(after: after) }
}

extension LineSegment {
    /// Without the payloads of all commits that may be erased, each under an erasure of a stranger's.
    public func withheld(seed: UInt8 = 6) throws -> LineSegment {
        guard let stranger = ReplicaIdentity(seed: [UInt8](repeating: seed, count: 32)) else { return self }
        var (commits, erasures) = (commits, erasures)
        for (index, commit) in commitIDs().enumerated() where commit.sequence.rawValue > 1 {
            let isErasable = try commits[index].withUnsafeBytes { raw in
                let view = try CommitView(raw)
                return view.header.isErasable && view.erased == nil
            }
            guard isErasable else { continue }
            commits[index] = try commits[index].withUnsafeBytes { try CommitView($0).without(.all) }
            erasures.append(try Erasure(of: .all, in: commit, of: journal, at: 1, by: stranger).bytes)
        }
        return LineSegment(
            journal: journal, replica: replica, first: first, previous: previous, commits: commits,
            signature: signature, erasures: erasures)
    }
}
