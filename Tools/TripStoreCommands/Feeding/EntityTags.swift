/// The entity tags of headers If-None-Match (RFC 9110, section 13.1.2).
struct EntityTags {
    private var isAny = false
    /// With their quotes, and without the mark of weak ones: they are compared weakly.
    private var tags: Set<String> = []

    /// - Parameter values: those of the header, which may be repeated. What is no tag ends the list.
    init(_ values: [String]) {
        for value in values { add(value[...]) }
    }

    /// Whether a tag, with its quotes, is among them; a list of `*` has every one.
    func contains(_ tag: String) -> Bool { isAny || tags.contains(tag) }

    private mutating func add(_ list: Substring) {
        var rest = list
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            if rest.isEmpty { return }
            if rest.first == "*" { isAny = true }
            if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
            guard rest.first == "\"" else { return }
            let tag = rest.dropFirst().prefix { $0 != "\"" }
            guard tag.endIndex < rest.endIndex else { return }
            tags.insert("\"\(tag)\"")
            rest = rest[tag.endIndex...].dropFirst()
        }
    }
}
