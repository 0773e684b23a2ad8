import ArgumentParser
import LogExchange
import TripStore

/// Names a replica on the command line: its id, the first digits of that, or the name of its device.
struct ReplicaArgument: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }

    /// The replica that is meant. A whole id may be of one that is not known here.
    func replica(in store: TripStore) throws -> ReplicaID {
        if let id = ReplicaID(text) { return id }
        let known = try store.namedReplicas()
        let byName = known.filter { $0.value == text }.map(\.key)
        let found =
            byName.isEmpty ? known.keys.filter { text.count >= 4 && "\($0)".hasPrefix(text.lowercased()) } : byName
        guard let first = found.first else {
            throw ExchangeError(
                .unknownReplica,
                "No replica is called '\(text)', and none has an id that begins so. 'tripstore peers' and 'tripstore members' list those that are known."
            )
        }
        guard found.count == 1 else {
            throw CommandError(
                "'\(text)' may be any of several replicas: \(found.sorted().map { "\($0)" }.joined(separator: ", ")). Give more digits.",
                code: "ambiguous")
        }
        return first
    }
}

/// The ids of replicas in lists.
struct ShortReplicas {
    private static let least = 8
    private let known: [String]

    /// - Parameter known: all replicas among which an argument finds one.
    init(_ known: some Sequence<ReplicaID>) { self.known = known.map { "\($0)" } }

    /// On a terminal the digits that tell it from the others, elsewhere all of them.
    func shown(_ replica: ReplicaID) -> String {
        let text = "\(replica)"
        guard Console.current.layout.columns != nil else { return text }
        let others = known.filter { $0 != text }
        let lengths = Self.least..<text.count
        let length = lengths.first { length in !others.contains { $0.hasPrefix(text.prefix(length)) } }
        return String(text.prefix(length ?? text.count))
    }
}

extension TripStore {
    /// The replicas that are known, with the names of their devices as far as they are known.
    func namedReplicas() throws -> [ReplicaID: String] {
        var names = try status().frontier.mapValues { _ in "" }
        for request in try membershipRequests() { names[request.replica] = request.name }
        for status in try members() { names[status.member.replica] = status.name }
        for peer in try peers() where !peer.name.isEmpty { names[peer.replica] = peer.name }
        for replica in names.keys {
            if let label = try note(Self.labelNote(of: replica)), !label.isEmpty {
                names[replica] = String(decoding: label, as: UTF8.self)
            }
        }
        return names
    }

    /// Calls a replica by another name on this device; an empty one takes that back.
    func setLabel(_ name: String, of replica: ReplicaID) async throws {
        try await setNote(Self.labelNote(of: replica), Array(name.utf8))
    }

    private static func labelNote(of replica: ReplicaID) -> String { "label/\(replica)" }
}
