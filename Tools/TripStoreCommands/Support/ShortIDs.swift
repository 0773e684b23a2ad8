/// Ids in a list.
enum ShortIDs {
    /// On a terminal the shortest prefixes that distinguish these ids, at least the time in them; elsewhere the whole ids.
    static func shown(_ ids: [String]) -> [String] {
        guard Console.current.layout.columns != nil else { return ids }
        var length = 13
        while length < 36, Set(ids.map { $0.prefix(length) }).count < Set(ids).count { length += 1 }
        return ids.map { String($0.prefix(length)) }
    }
}
