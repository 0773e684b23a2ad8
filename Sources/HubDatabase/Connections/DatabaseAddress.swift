/// The address of a database: `postgresql://USER@HOST:PORT/DATABASE?…`, as libpq reads it, several hosts included.
public struct DatabaseAddress: Sendable, Hashable, CustomStringConvertible {
    let url: String

    /// Nil if it does not begin with `postgresql://` or `postgres://`, or is not a line of text.
    public init?(_ text: String) {
        guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://"), text.utf8.count <= 4096,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        url = text
    }

    /// Without what is secret in it: for people and logs.
    public var description: String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return "" }
        let (authority, rest) = Self.parts(url[start...])
        let shown = authority.lastIndex(of: "@").map { at -> String in
            let user = authority[..<at]
            return "\(user.prefix { $0 != ":" })\(authority[at...])"
        }
        // Options may hold a password as well.
        return "\(url[..<start])\(shown ?? String(authority))\(rest.prefix { $0 != "?" })"
    }

    private static func parts(_ text: Substring) -> (Substring, Substring) {
        let end = text.firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        return (text[..<end], text[end...])
    }

    /// What libpq says of an address that it cannot read repeats it.
    func withoutPassword(_ words: String) -> String { words.replacing(url, with: description) }
}
