import EventLog
package import Events

/// The times that a dump's writes have when one replica writes them anew: distinct, in the order of the merge, and earlier than a ceiling.
///
/// A write keeps its own time where that is so already. Memory is needed for the others alone.
package struct DumpTimes: Sendable {
    /// The writes of one time in the commits of one replica. Those with an original time have no hash.
    struct Writes: Hashable, Comparable, Sendable {
        let name: Seen
        /// The beginning of the commit's hash: a line that forked may have two commits of one time.
        let hash: UInt64

        static func < (a: Writes, b: Writes) -> Bool {
            (a.name.timestamp, a.name.replica, a.hash) < (b.name.timestamp, b.name.replica, b.hash)
        }
    }

    /// Those of writes that have another time than before; of commits of one name, the first one's.
    private var moved: [Seen: Timestamp] = [:]
    /// Those of the other commits of one name. What authors saw of these commits is ambiguous.
    private var later: [Writes: Timestamp] = [:]
    private var ambiguous: Set<Seen> = []

    /// `writes` ascend.
    init(_ writes: [Writes], before ceiling: Timestamp) {
        var last = Timestamp.zero
        var previous: Writes?
        for (number, one) in writes.enumerated() where one != previous {
            defer { previous = one }
            let isSameName = one.name == previous?.name
            // Original times come first, and those at which the replica wrote itself are the same ones.
            if isSameName, previous?.hash == 0 { continue }
            // Each of the rest has room below the ceiling.
            let rest = UInt64(writes.count - number)
            let latest = Timestamp(rawValue: ceiling.rawValue - min(rest, ceiling.rawValue))
            last = max(min(one.name.timestamp, latest), last.successor)
            if isSameName {
                later[one] = last
                ambiguous.insert(one.name)
            } else if last != one.name.timestamp {
                moved[one.name] = last
            }
        }
    }

    /// The time of the write that a name means; nil if it may mean several.
    package func time(of name: Seen) -> Timestamp? { ambiguous.contains(name) ? nil : moved[name] ?? name.timestamp }

    /// The time of an event's writes.
    func time(of event: Event, in commit: DumpedCommit) -> Timestamp {
        let writes = commit.writes(of: event)
        return later[writes] ?? moved[writes.name] ?? writes.name.timestamp
    }
}

extension DumpedCommit {
    /// The writes of one of its events: an original time counts if it is earlier than the commit.
    func writes(of event: Event) -> DumpTimes.Writes {
        let own = Stamp(timestamp: timestamp, replica: id.replica, hash: id.hash)
        let stamp = own.moved(to: event.original)
        return DumpTimes.Writes(name: Seen(stamp), hash: stamp == own ? id.hash.numbers.0 : 0)
    }
}
