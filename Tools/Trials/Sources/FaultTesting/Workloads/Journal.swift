import Foundation
import TripStore
public import Trips

/// A workload's journal: a line before it calls a store, and one when that was acknowledged.
///
/// The worker writes them, to the trace and to its output; the checks read them.
public enum JournalLine: Equatable, Sendable {
    /// From now on a trip may exist, with this name.
    case begin(store: String, trip: Trip.ID, name: String)
    /// It exists with this name, or with one that was begun later.
    case acknowledged(store: String, trip: Trip.ID, name: String)
    /// It was refused, with an error that says that nothing was written: it must not exist with this name.
    case refused(store: String, trip: Trip.ID, name: String)
    /// The error leaves open whether it exists. It is tried again with the same append id.
    case unknown(store: String, trip: Trip.ID, name: String)
    /// A store was opened and writes as this replica.
    case replica(store: String, id: String)
    /// A store may take another replica id when it is opened next.
    case renewal(store: String)
    /// A bundle file has that many commits.
    case bundle(file: String, commits: Int)

    public var text: String {
        switch self {
        case .begin(let store, let trip, let name): "begin\t\(store)\t\(trip)\t\(name)"
        case .acknowledged(let store, let trip, let name): "acknowledged\t\(store)\t\(trip)\t\(name)"
        case .refused(let store, let trip, let name): "refused\t\(store)\t\(trip)\t\(name)"
        case .unknown(let store, let trip, let name): "unknown\t\(store)\t\(trip)\t\(name)"
        case .replica(let store, let id): "replica\t\(store)\t\(id)"
        case .renewal(let store): "renewal\t\(store)"
        case .bundle(let file, let commits): "bundle\t\(file)\t\(commits)"
        }
    }

    /// Nil for a line that concerns no store.
    public init?(_ text: String) {
        let words = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        switch (words.first, words.count) {
        case (let word?, 4):
            guard let trip = Trip.ID(words[2]) else { return nil }
            switch word {
            case "begin": self = .begin(store: words[1], trip: trip, name: words[3])
            case "acknowledged": self = .acknowledged(store: words[1], trip: trip, name: words[3])
            case "refused": self = .refused(store: words[1], trip: trip, name: words[3])
            case "unknown": self = .unknown(store: words[1], trip: trip, name: words[3])
            default: return nil
            }
        case ("replica", 3): self = .replica(store: words[1], id: words[2])
        case ("renewal", 2): self = .renewal(store: words[1])
        case ("bundle", 3):
            guard let commits = Int(words[2]) else { return nil }
            self = .bundle(file: words[1], commits: commits)
        default: return nil
        }
    }
}

/// What a journal requires of the stores.
public struct Expectations: Sendable {
    public struct Store: Sendable {
        /// The names that a trip may have; that of an acknowledged one comes first.
        public internal(set) var names: [Trip.ID: [String]] = [:]
        public internal(set) var acknowledged: Set<Trip.ID> = []
        /// The names that a trip must never have had: nothing was written by them.
        public internal(set) var refused: [Trip.ID: Set<String>] = [:]
        /// The names with an unknown outcome.
        public internal(set) var unknown: [Trip.ID: Set<String>] = [:]
        /// The store's replica; nil if unknown.
        public internal(set) var replica: String?
    }

    public private(set) var stores: [String: Store] = [:]
    public private(set) var bundles: [String: Int] = [:]

    public init() {}

    public mutating func note(_ line: JournalLine) {
        switch line {
        case .begin(let store, let trip, let name):
            stores[store, default: Store()].names[trip, default: []].append(name)
        case .acknowledged(let store, let trip, let name):
            let begun = stores[store, default: Store()].names[trip] ?? []
            stores[store, default: Store()].names[trip] = Array(begun.drop { $0 != name })
            if stores[store]?.names[trip]?.isEmpty == true { stores[store]?.names[trip] = [name] }
            stores[store]?.acknowledged.insert(trip)
            stores[store]?.unknown[trip]?.remove(name)
        case .refused(let store, let trip, let name):
            stores[store, default: Store()].names[trip]?.removeAll { $0 == name }
            stores[store]?.refused[trip, default: []].insert(name)
        case .unknown(let store, let trip, let name):
            stores[store, default: Store()].unknown[trip, default: []].insert(name)
        case .replica(let store, let id): stores[store, default: Store()].replica = id
        case .renewal(let store): stores[store, default: Store()].replica = nil
        case .bundle(let file, let commits): bundles[file] = commits
        }
    }

    /// Equivalent lines.
    var lines: [JournalLine] {
        var lines: [JournalLine] = []
        for (name, store) in stores {
            if let replica = store.replica { lines.append(.replica(store: name, id: replica)) }
            for (trip, names) in store.names {
                if store.acknowledged.contains(trip), let first = names.first {
                    lines.append(.acknowledged(store: name, trip: trip, name: first))
                    lines += names.dropFirst().map { .begin(store: name, trip: trip, name: $0) }
                } else {
                    lines += names.map { .begin(store: name, trip: trip, name: $0) }
                }
            }
            for (trip, names) in store.refused {
                lines += names.sorted().map { .refused(store: name, trip: trip, name: $0) }
            }
            for (trip, names) in store.unknown {
                lines += names.sorted().map { .unknown(store: name, trip: trip, name: $0) }
            }
        }
        return lines + bundles.map { .bundle(file: $0, commits: $1) }
    }

    /// How many trips were acknowledged, over all stores.
    public var acknowledged: Int { stores.values.reduce(0) { $0 + $1.acknowledged.count } }

    /// How many writes are neither acknowledged nor refused, by their last line.
    public var unknown: Int {
        stores.values.reduce(0) { $0 + $1.unknown.values.reduce(0) { $0 + $1.count } }
    }
}
