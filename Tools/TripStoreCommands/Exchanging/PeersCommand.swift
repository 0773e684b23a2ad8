import ArgumentParser
import EventLog
import Events
import Foundation
import LogExchange
import TripFormats
import TripStore

struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers", abstract: "List the replicas met, and what they hold of this.",
        discussion: """
            What a replica acknowledged it holds durably. What is to be sent and received is as far as it has said: of what \
            it wrote since, nothing is known here before the next exchange. Of erasures it is listed which of them it has acknowledged: \
            a replica hides what they erase from then on, and removes it when the time comes. 'tripstore erasures' lists them.

            Examples:
              tripstore peers
              tripstore peers --forget tablet
              tripstore peers --rename 01a1fc91 --as "Ben's old laptop"
            """)

    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "Forget a replica whose device is gone. It is known again once it is met.")
    var forget: ReplicaArgument?

    @Option(name: .long, help: "Call a replica by the name that follows --as, on this device alone.")
    var rename: ReplicaArgument?

    @Option(name: .customLong("as"), help: "The name for --rename; an empty one is that of the device itself again.")
    var name: String?

    func validate() throws {
        if (rename == nil) != (name == nil) {
            throw ValidationError("--rename and --as belong together: give both, or neither.")
        }
        if rename != nil && forget != nil { throw ValidationError("--rename or --forget: one of them at a time.") }
    }

    func run() async throws {
        if let forget { return try await self.forget(forget) }
        if let rename, let name { return try await self.rename(rename, to: name) }
        let store = try await options.openForReading()
        let peers = try store.peers()
        let names = try store.namedReplicas()
        let erasures = try store.knownErasures()
        if options.json {
            for peer in peers {
                let bytes = try store.bytesToSend(to: peer.replica)
                Console.current.out(
                    JSON.object(
                        PeerText.members(peer, name: names[peer.replica]) + PeerText.more(peer, bytes)
                            + PeerText.members(erasures[peer.replica] ?? KnownErasures())
                    ).text)
            }
            return
        }
        if peers.isEmpty { Console.current.out("No peers yet: 'tripstore sync PEER' exchanges with one.".onThisStore) }
        let ids = ShortReplicas(names.keys)
        let rows = try peers.map {
            PeerText.cells($0, ids, name: names[$0.replica], bytesToSend: try store.bytesToSend(to: $0.replica))
        }
        for (peer, line) in zip(peers, PeerText.table().lines(rows)) {
            Console.current.show(
                [line] + PeerText.error(peer) + (erasures[peer.replica].map(PeerText.lines) ?? []))
        }
    }

    private func rename(_ argument: ReplicaArgument, to name: String) async throws {
        let replica = try await withStore(options) { store in
            let replica = try argument.replica(in: store)
            try await store.setLabel(name, of: replica)
            return replica
        }
        Console.current.out(
            options.json
                ? JSON.object([("replica", .string("\(replica)")), ("name", .string(name))]).text
                : "Replica \(replica) is called '\(name)' here")
    }

    private func forget(_ argument: ReplicaArgument) async throws {
        let replica = try await withStore(options) { store in
            let replica = try argument.replica(in: store)
            let known = try store.peers()
            guard known.contains(where: { $0.replica == replica }) else {
                throw ExchangeError(
                    .unknownReplica,
                    "Nothing is known of replica \(replica), so there is nothing to forget. "
                        + (known.isEmpty
                            ? "No peer is known."
                            : "Known are \(known.map { "\($0.replica)" }.joined(separator: ", ")).")
                )
            }
            try await store.forget(replica)
            return replica
        }
        Console.current.out(
            options.json ? JSON.object([("forgotten", .string("\(replica)"))]).text : "Forgot replica \(replica)")
    }
}

/// Other replicas in words and in JSON.
enum PeerText {
    /// The members that `status` prints of a peer as well.
    static func members(_ peer: PeerStatus, name: String?) -> [(String, JSON)] {
        [
            ("replica", .string("\(peer.replica)")), ("name", .string(name ?? peer.name)),
            ("lastExchange", .optional(peer.lastExchange?.utcText)),
            ("acknowledged", .sequences(peer.acknowledged)), ("toSend", .integer(peer.commitsToSend)),
        ]
    }

    static func more(_ peer: PeerStatus, _ bytesToSend: Int) -> [(String, JSON)] {
        [
            ("bytesToSend", .integer(bytesToSend)), ("toReceive", .integer(peer.commitsToReceive)),
            ("lastTried", .optional(peer.lastTried?.utcText)), ("lastError", .optional(peer.lastError)),
            ("frontierText", .string(peer.acknowledged.text)),
        ]
    }

    /// The table of `cells`, behind so many columns. Where it is too wide it lacks the times.
    static func table(behind columns: Int = 0) -> TextTable {
        TextTable(cutting: [columns + 1], dropping: [columns + 2], naming: columns + 1)
    }

    static func cells(
        _ peer: PeerStatus, _ ids: ShortReplicas, name: String?, bytesToSend: Int? = nil
    ) -> [String] {
        let exchanged = peer.lastExchange.map { "exchanged \($0.utcText)" } ?? "never exchanged to the end"
        let size = bytesToSend.map { ", \(Words.bytes($0))" } ?? ""
        let send =
            peer.commitsToSend == 0
            ? "holds all of this" : "\(peer.commitsToSend.counted("commit"))\(size) to send"
        let receive = peer.commitsToReceive == 0 ? "" : ", \(peer.commitsToReceive.counted("commit")) to receive"
        return [ids.shown(peer.replica), name ?? peer.name, exchanged, send + receive]
    }

    static func members(_ known: KnownErasures) -> [(String, JSON)] {
        [
            ("erasures", .array(known.acknowledged.map { .integer($0.rawValue) })),
            ("erasuresToSend", .array(known.outstanding.map { .integer($0.rawValue) })),
        ]
    }

    /// Which erasures a peer acknowledged; none if there are none.
    static func lines(_ known: KnownErasures) -> [String] {
        let (acknowledged, outstanding) = (known.acknowledged, known.outstanding)
        let all = acknowledged.count + outstanding.count
        if all == 0 { return [] }
        let positions = outstanding.prefix(shownPositions).map(\.description).joined(separator: ", ")
        let more = outstanding.count > shownPositions ? " and \(outstanding.count - shownPositions) more" : ""
        let text =
            outstanding.isEmpty
            ? "has acknowledged \(all == 1 ? "the erasure" : "all \(all) erasures")"
            : "has acknowledged \(acknowledged.count) of \(all.counted("erasure")), and not yet \(positions)\(more)"
        return Console.current.layout.lines(text, behind: "  ")
    }

    private static let shownPositions = 10

    /// Why the last exchange failed; none if it did not.
    static func error(_ peer: PeerStatus) -> [String] {
        guard let error = peer.lastError else { return [] }
        let tried = peer.lastTried.map { " at \($0.utcText)" } ?? ""
        return Console.current.layout.lines("failed\(tried): \(error)", behind: "  ")
    }
}
