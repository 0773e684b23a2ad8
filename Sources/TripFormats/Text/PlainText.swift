/// Text for people, from texts of other programs that may be HTML.
enum PlainText {
    /// Elements of HTML. What else stands in angle brackets is text, such as an address of e-mail.
    private static let elements: Set<String> = [
        "a", "abbr", "address", "article", "b", "bdi", "blockquote", "body", "br", "center", "code", "dd", "div", "dl",
        "dt", "em", "figure", "font", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr",
        "html", "html-blob", "i", "img", "input", "label", "li", "link", "main", "meta", "nav", "ol", "o:p", "p", "pre",
        "s", "script", "section", "small", "span", "strong", "style", "sub", "sup", "table", "tbody", "td", "tfoot",
        "th", "thead", "title", "tr", "tt", "u", "ul", "!doctype",
    ]
    /// Elements that begin a line.
    private static let lines: Set<String> = [
        "address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2", "h3", "h4",
        "h5", "h6", "header", "hr", "html-blob", "li", "ol", "p", "pre", "section", "table", "tr", "ul",
    ]
    /// Elements whose content is none for people.
    private static let hidden: Set<String> = ["head", "script", "style", "title"]
    /// Bytes of a tag.
    private static let longestTag = 8_000

    /// The text without markup, its entities resolved and the addresses of its links kept, as in "Ticket (https://…)". Text without markup
    /// is returned as it is. O(bytes).
    static func of(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return text }
        var reading = MarkupReading()
        var rest = Substring(text)
        while let index = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
            reading.append(rest[..<index])
            rest = rest[index...]
            if rest.utf8.first == UInt8(ascii: "&") {
                rest = entity(rest, &reading)
            } else {
                rest = tag(rest, &reading)
            }
        }
        reading.append(rest)
        guard reading.hasTags else { return reading.hasEntities ? reading.text : text }
        return tidied(reading.text)
    }

    private static func entity(_ rest: Substring, _ reading: inout MarkupReading) -> Substring {
        let name = rest.utf8.dropFirst().prefix(10).prefix { $0 != UInt8(ascii: ";") }
        guard name.endIndex < rest.endIndex, rest.utf8[name.endIndex] == UInt8(ascii: ";"),
            let character = MarkupEntity.html(String(Substring(name)))
        else {
            reading.append("&")
            return Substring(rest.utf8.dropFirst())
        }
        reading.append(character[...])
        reading.hasEntities = true
        return Substring(rest.utf8[name.endIndex...].dropFirst())
    }

    private static func tag(_ rest: Substring, _ reading: inout MarkupReading) -> Substring {
        if rest.hasPrefix("<!--"), reading.mayEndComments {
            if let end = rest.firstRange(of: "-->") {
                reading.hasTags = true
                return rest[end.upperBound...]
            }
            reading.mayEndComments = false
        }
        let inside = rest.utf8.dropFirst()
        let isEnd = inside.first == UInt8(ascii: "/")
        // Up to the next tag, so that each byte is looked at once.
        let bytes = (isEnd ? inside.dropFirst() : inside).prefix(longestTag).prefix { $0 != UInt8(ascii: "<") }
        let name = String(Substring(bytes.prefix { $0.isLetter || $0.isDigit || "!:-".utf8.contains($0) })).lowercased()
        guard elements.contains(name), let end = bytes.firstIndex(of: UInt8(ascii: ">")),
            name == "!doctype" || isTag(bytes[..<end].dropFirst(name.utf8.count))
        else {
            reading.append("<")
            return Substring(inside)
        }
        let after = Substring(rest.utf8[end...].dropFirst())
        if hidden.contains(name), !isEnd {
            if !reading.unclosed.contains(name), let behind = self.after(endOf: name, in: after) {
                reading.hasTags = true
                return behind
            }
            reading.unclosed.insert(name)
            // In text that has no markup so far it is a word, as in "the <title> of the page".
            guard reading.hasTags else {
                reading.append("<")
                return Substring(inside)
            }
            return after
        }
        reading.hasTags = true
        if lines.contains(name) { reading.endLine() }
        if name == "td" || name == "th", !isEnd { reading.append(" ") }
        if name == "a" {
            isEnd ? reading.endLink() : reading.beginLink(target(of: Substring(bytes[..<end])))
        }
        return after
    }

    /// The text behind the end tag of an element, in any case of letters; nil if there is none. O(bytes).
    private static func after(endOf name: String, in text: Substring) -> Substring? {
        var rest = text.utf8
        while let index = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[index...].dropFirst()
            guard rest.first == UInt8(ascii: "/") else { continue }
            let word = rest.dropFirst().prefix(name.utf8.count)
            guard word.lazy.map({ $0 | 0x20 }).elementsEqual(name.utf8) else { continue }
            let end = rest[word.endIndex...].drop { $0 <= 0x20 }
            if end.first == UInt8(ascii: ">") { return Substring(end.dropFirst()) }
        }
        return nil
    }

    /// Whether some bytes may follow the name of an element: nearly all attributes have values, and text such as "a <b and c> d" has none.
    private static func isTag(_ rest: Substring.UTF8View) -> Bool {
        guard let first = rest.first else { return true }
        guard first <= 0x20 || first == UInt8(ascii: "/") else { return false }
        let words = String(Substring(rest)).lowercased().split { $0.isWhitespace || $0 == "/" }
        return words.allSatisfy { ["checked", "disabled", "hidden", "noshade", "nowrap"].contains($0) }
            || rest.contains(UInt8(ascii: "="))
    }

    /// The address that a link leads to; nil for a place on the same page.
    private static func target(of tag: Substring) -> String? {
        guard let found = tag.firstMatch(of: /(?i)\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/) else { return nil }
        let written = String(found.1 ?? found.2 ?? found.3 ?? "").trimmed
        let address = written.contains("&") ? of(written) : written
        return address.isEmpty || address.hasPrefix("#") ? nil : address
    }

    /// Without spaces at the ends of lines, and without more than one empty line in a row.
    private static func tidied(_ text: String) -> String {
        var lines: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = line.trimmed
            if !line.isEmpty || lines.last?.isEmpty == false { lines.append(line) }
        }
        return lines.joined(separator: "\n").trimmed
    }
}

/// The text of markup as it is read.
private struct MarkupReading {
    private(set) var text = ""
    var hasTags = false
    var hasEntities = false
    /// False once no comment ends behind what is read.
    var mayEndComments = true
    /// Names of hidden elements that do not end behind what is read.
    var unclosed: Set<String> = []
    /// The address of the open link, and how many bytes stand before its text.
    private var link: (address: String, start: Int)?

    mutating func append(_ part: Substring) { text += part }

    mutating func endLine() { if !text.isEmpty, text.last?.isNewline != true { text += "\n" } }

    mutating func beginLink(_ address: String?) {
        endLink()
        link = address.map { ($0, text.utf8.count) }
    }

    mutating func endLink() {
        guard let (address, start) = link else { return }
        link = nil
        let shown = String(decoding: text.utf8.dropFirst(start), as: UTF8.self).trimmed
        let isPersonal = address.hasPrefix("mailto:") || address.hasPrefix("tel:")
        let bare = isPersonal ? String(address.drop { $0 != ":" }.dropFirst()) : address
        if shown.isEmpty { text += bare } else if shown != bare, shown != address { text += " (\(bare))" }
    }
}
