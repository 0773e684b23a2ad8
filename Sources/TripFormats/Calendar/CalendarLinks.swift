public import TripStore

/// The links of events: URL is the first, each ATTACH another. Exports of a store list links that have titles or are no URI beside them.
enum CalendarLinks {
    private static let listed = CalendarNames.prefix + "LINK"
    static let most = 100
    static let longest = 8_000

    static func write(_ links: [Link], to writer: inout CalendarWriter) {
        for (index, link) in links.filter({ $0.url.isURI }).enumerated() {
            writer.property(index == 0 ? "URL" : "ATTACH", value: link.url)
        }
        guard links.contains(where: { !$0.title.isEmpty || !$0.url.isURI }) else { return }
        for link in links { writer.property(listed, texts: [link.url, link.title], separator: ";") }
    }

    /// At most 100 of at most 8,000 bytes, each address once.
    static func read(_ event: CalendarComponent) -> [Link] {
        let shown = (event.properties("URL") + event.properties("ATTACH")).filter {
            !$0.isInline && $0.value.utf8.count <= longest
        }.map(\.value.trimmed).filter { !$0.isEmpty }
        let urls = Set(shown)
        // Another program may have removed one that it shows.
        let own = event.properties(listed).map { $0.texts(separatedBy: UInt8(ascii: ";")) }.filter {
            !$0[0].isEmpty && ($0[0].isURI ? urls.contains($0[0]) : true)
        }.map { Link($0[0], title: $0.count > 1 ? $0[1] : "") }
        var seen: Set<String> = []
        return Array((own + shown.map { Link($0) }).filter { seen.insert($0.url).inserted }.prefix(most))
    }
}

extension CalendarProperty {
    /// Whether it holds the bytes of a file.
    var isInline: Bool { parameter("ENCODING") != nil || parameter("VALUE")?.uppercased() == "BINARY" }
}

extension [Link] {
    /// With the links of a file: those that are held stay as they are, but for a title that the file has; others are added.
    /// - Parameter keepsOthers: whether links that the file lacks stay.
    public func taking(_ links: [Link], keepsOthers: Bool) -> [Link] {
        var titles: [String: String] = [:]
        for link in links where titles[link.url] == nil { titles[link.url] = link.title }
        let known = Set(map(\.url))
        let kept = compactMap { link -> Link? in
            guard let title = titles[link.url] else { return keepsOthers ? link : nil }
            var link = link
            if !title.isEmpty { link.title = title }
            return link
        }
        return kept + links.filter { !known.contains($0.url) }
    }
}
