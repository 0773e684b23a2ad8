import Foundation

/// A feed in words and in JSON.
struct FeedText {
    private let feed: Feed
    private let name: String
    private let isDeleted: Bool
    private let web: String
    private let calendar: String

    init(_ feed: Feed, named name: String, isDeleted: Bool, at server: FeedServer) {
        (self.feed, self.name, self.isDeleted) = (feed, name, isDeleted)
        let target = feed.secret.target(named: Self.fileName(of: name))
        (web, calendar) = (server.web(target), server.calendar(target))
    }

    /// The name of a calendar's file, for people: letters and digits of ASCII.
    static func fileName(of name: String) -> String {
        let plain = name.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
        let words = plain.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return words.isEmpty ? "trip" : String(words.joined(separator: "-").prefix(40))
    }

    /// First the one that calendar programs open.
    var addresses: [String] { [calendar, web] }

    var lines: [String] {
        let state = isDeleted ? ", which is deleted: nothing is served" : ""
        return ["\(name.isEmpty ? "\(feed.trip)" : name), made \(feed.made.utcText)\(state)".visible]
            + addresses.map { "  \($0)" }
    }

    var json: JSON {
        .object([
            ("trip", .string("\(feed.trip)")), ("name", .string(name)), ("deleted", .bool(isDeleted)),
            ("made", .string(feed.made.utcText)), ("webcal", .string(calendar)), ("address", .string(web)),
            ("secret", .string(feed.secret.text)),
        ])
    }
}
