import Foundation
import TripStore

/// Foreign text in HTML.
///
/// Every text of a store passes through here. Control characters, and those that override or embed the direction of writing, are
/// left out: the latter could show a text, and what follows it, in another order than it has.
enum HTML {
    /// For the text of an element, or the value of an attribute in quotation marks.
    static func plain(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            default: if !isLeftOut(scalar) { escaped.unicodeScalars.append(scalar) }
            }
        }
        return escaped
    }

    private static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFFFE...0xFFFF: true
        // Noncharacters of the other planes.
        case 0x1_FFFE...: scalar.value & 0xFFFE == 0xFFFE
        default: false
        }
    }

    /// The beginning of a section, up to what follows its heading. `title` and `line` are markup.
    static func sectionHead(
        _ id: String, _ title: String, level: Int, line: String = "", class name: String = ""
    ) -> String {
        let heading = "<h\(level) class=\"day-title\" id=\"\(id)\">\(title)</h\(level)>"
        let place = line.isEmpty ? "" : "<p class=\"where\">\(line)</p>"
        let classes = name.isEmpty ? "day" : "day \(name)"
        return
            "<section class=\"\(classes)\" aria-labelledby=\"\(id)\">\n<div class=\"day-head\">\(heading)\(place)</div>\n"
    }

    /// A text within a line, whose direction of writing is its own.
    static func name(_ text: String) -> String { text.isEmpty ? "" : "<bdi>\(plain(text))</bdi>" }

    /// A text of several lines, as it was written; nothing of an empty one.
    static func lines(_ text: String, class name: String) -> String {
        let trimmed = text.replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { return "" }
        let paragraphs = trimmed.split(separator: "\n", omittingEmptySubsequences: true)
        return paragraphs.map { "<p class=\"\(name)\" dir=\"auto\">\(plain(String($0)))</p>\n" }.joined()
    }

    /// A link to a page on the web, or the text alone where the address is none of `http` or `https`.
    static func link(_ address: String, title: String = "") -> String {
        let shown = title.isEmpty ? address : title
        guard let target = webAddress(address) else {
            return title.isEmpty || title == address ? name(address) : "\(name(title)) (\(name(address)))"
        }
        // On paper the address must be readable.
        let printed = title.isEmpty || title == address ? "" : " <span class=\"url\">\(name(address))</span>"
        return "<a href=\"\(plain(target))\" rel=\"noopener noreferrer\">\(name(shown))</a>\(printed)"
    }

    /// The address if a browser would open it as one of the web; people leave out the scheme.
    private static func webAddress(_ text: String) -> String? {
        let lowered = text.prefix(8).lowercased()
        let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && !isLeftOut($0) }
        guard isPlain, text.utf8.count <= 4096 else { return nil }
        if lowered.hasPrefix("https://") || lowered.hasPrefix("http://") { return text }
        return lowered.hasPrefix("www.") ? "https://\(text)" : nil
    }

    /// A place's name, or else its coordinates, which lead to a map on the web; empty of no place.
    static func place(_ name: String, _ address: Address?) -> String {
        guard let coordinates = address?.coordinates, let link = address?.mapLink else { return self.name(name) }
        let words = Degrees.words(coordinates)
        let shown = name.isEmpty ? words : self.name(name)
        return "<a href=\"\(plain(link))\" title=\"\(words)\" rel=\"noopener noreferrer\">\(shown)</a>"
    }

    /// A number to call, or the text alone if it is none.
    static func telephone(_ text: String) -> String {
        let digits = text.unicodeScalars.filter { ("0"..."9").contains($0) || $0 == "+" }
        let isNumber =
            text.utf8.count <= 40 && digits.count >= 3
            && text.unicodeScalars.allSatisfy {
                ("0"..."9").contains($0) || "+-./() \u{a0}".unicodeScalars.contains($0)
            }
        return isNumber ? "<a href=\"tel:\(String(String.UnicodeScalarView(digits)))\">\(name(text))</a>" : name(text)
    }

    /// An address to write to, or the text alone if it is none.
    static func mail(_ text: String) -> String {
        let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_+@")
        let isAddress =
            text.utf8.count <= 254 && text.split(separator: "@", omittingEmptySubsequences: false).count == 2
            && text.unicodeScalars.allSatisfy { allowed.contains($0) }
        return isAddress ? "<a href=\"mailto:\(plain(text))\">\(name(text))</a>" : name(text)
    }
}
