import EventLog
import LogExchange

extension Lines {
    /// Every commit, each as the line that it ends.
    var commits: Set<String> {
        Set(all.flatMap { line in line.contains("@") ? [line] : line.indices.dropFirst(2).map { String(line[...$0]) } })
    }

    /// The heads among the named ones.
    func named(_ heads: [CommitID], or other: Lines) -> Set<String> { lines(heads).all.union(other.lines(heads).all) }

    /// A plan in the notation of the tables: by replica how its lines compare, then what is wanted, offered, and
    /// perhaps lacking.
    func describe(_ plan: ExchangePlan, with other: Lines) -> String {
        let letters = Set(all.union(other.all).map { $0.prefix(1) }).sorted()
        var parts = letters.compactMap { letter in
            plan.outcomes.first { $0.replica == Self.replica(String(letter)) }.map { "\(letter) \($0.outcome)" }
        }
        for (verb, heads) in [("wants", plan.wanted), ("offers", plan.offered), ("perhaps", plan.uncertain)]
        where !heads.isEmpty {
            parts.append("\(verb) \(named(heads, or: other).sorted().joined(separator: " "))")
        }
        return parts.joined(separator: ", ")
    }
}
