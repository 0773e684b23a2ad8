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
    /// From now on a trip may be erased.
    case erasing(store: String, trip: Trip.ID)
    /// It is erased: its bytes are hidden, and go with the next openings.
    case erased(store: String, trip: Trip.ID)
    /// A store was opened and writes as this replica.
    case replica(store: String, id: String)
    /// A store may take another replica id, once, when it is opened or written to next.
    case renewal(store: String)
    /// A store has written as at most so many other replicas, and writes as this one; as one that is to be seen if it is empty.
    case identity(store: String, id: String, renewals: Int)
    /// A copy of a store is complete, and may take another replica id.
    case copied(store: String, to: String)
    /// A store's folder may have another name from now on.
    case moving(store: String, to: String)
    /// It has that name.
    case moved(store: String, to: String)
    /// A bundle file has that many commits.
    case bundle(file: String, commits: Int)

    public var text: String {
        switch self {
        case .begin(let store, let trip, let name): "begin\t\(store)\t\(trip)\t\(name)"
        case .acknowledged(let store, let trip, let name): "acknowledged\t\(store)\t\(trip)\t\(name)"
        case .refused(let store, let trip, let name): "refused\t\(store)\t\(trip)\t\(name)"
        case .unknown(let store, let trip, let name): "unknown\t\(store)\t\(trip)\t\(name)"
        case .erasing(let store, let trip): "erasing\t\(store)\t\(trip)"
        case .erased(let store, let trip): "erased\t\(store)\t\(trip)"
        case .replica(let store, let id): "replica\t\(store)\t\(id)"
        case .renewal(let store): "renewal\t\(store)"
        case .identity(let store, let id, let renewals): "identity\t\(store)\t\(id)\t\(renewals)"
        case .copied(let store, let other): "copied\t\(store)\t\(other)"
        case .moving(let store, let other): "moving\t\(store)\t\(other)"
        case .moved(let store, let other): "moved\t\(store)\t\(other)"
        case .bundle(let file, let commits): "bundle\t\(file)\t\(commits)"
        }
    }

    /// Nil for a line that concerns no store.
    public init?(_ text: String) {
        let words = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        switch (words.first, words.count) {
        case ("identity", 4):
            guard let renewals = Int(words[3]) else { return nil }
            self = .identity(store: words[1], id: words[2], renewals: renewals)
        case (let word?, 4):
            guard let trip = Trip.ID(words[2]) else { return nil }
            switch word {
            case "begin": self = .begin(store: words[1], trip: trip, name: words[3])
            case "acknowledged": self = .acknowledged(store: words[1], trip: trip, name: words[3])
            case "refused": self = .refused(store: words[1], trip: trip, name: words[3])
            case "unknown": self = .unknown(store: words[1], trip: trip, name: words[3])
            default: return nil
            }
        case ("erasing", 3), ("erased", 3):
            guard let trip = Trip.ID(words[2]) else { return nil }
            self =
                words[0] == "erased" ? .erased(store: words[1], trip: trip) : .erasing(store: words[1], trip: trip)
        case ("replica", 3): self = .replica(store: words[1], id: words[2])
        case ("renewal", 2): self = .renewal(store: words[1])
        case ("copied", 3): self = .copied(store: words[1], to: words[2])
        case ("moving", 3): self = .moving(store: words[1], to: words[2])
        case ("moved", 3): self = .moved(store: words[1], to: words[2])
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
        /// The trips that may have been erased, and those that were.
        var erasing: Set<Trip.ID> = []
        public internal(set) var erased: Set<Trip.ID> = []
        var identity = ExpectedIdentity()
        /// The name that its folder may have by now.
        var target: String?

        /// Nothing is required of a trip's names any more.
        fileprivate mutating func forget(_ trip: Trip.ID) {
            (names[trip], refused[trip], unknown[trip]) = (nil, nil, nil)
            acknowledged.remove(trip)
            erasing.remove(trip)
        }
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
        case .erasing(let store, let trip):
            stores[store, default: Store()].acknowledged.remove(trip)
            stores[store]?.erasing.insert(trip)
        case .erased(let store, let trip):
            stores[store, default: Store()].forget(trip)
            stores[store]?.erased.insert(trip)
        case .replica(let store, let id): stores[store, default: Store()].identity.note(id)
        case .renewal(let store): stores[store, default: Store()].identity.allowRenewal()
        case .identity(let store, let id, let renewals):
            stores[store, default: Store()].identity = ExpectedIdentity(
                replica: id.isEmpty ? nil : id, renewals: renewals)
        case .copied(let store, let other): restore(other, as: stores[store] ?? Store(), renewals: 1)
        case .moving(let store, let other): stores[store, default: Store()].target = other
        case .moved(let store, let other):
            stores[other] = stores.removeValue(forKey: store)
            stores[other]?.target = nil
        case .bundle(let file, let commits): bundles[file] = commits
        }
    }

    /// A store is as it, or another one, was at an earlier time, and may take so many replica ids.
    mutating func restore(_ name: String, as earlier: Store, renewals: Int) {
        stores[name] = earlier
        for _ in 0..<renewals { stores[name]?.identity.allowRenewal() }
    }

    /// Equivalent lines.
    var lines: [JournalLine] {
        var lines: [JournalLine] = []
        for (name, store) in stores {
            let identity = store.identity
            lines.append(.identity(store: name, id: identity.replica ?? "", renewals: identity.renewals))
            if let target = store.target { lines.append(.moving(store: name, to: target)) }
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
            lines += store.erasing.map { .erasing(store: name, trip: $0) }
            lines += store.erased.map { .erased(store: name, trip: $0) }
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
