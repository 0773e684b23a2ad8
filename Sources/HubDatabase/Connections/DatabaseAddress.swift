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

    /// Without what is secret in it: for people and logs. Where it may be read in two ways, only its scheme.
    public var description: String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return "" }
        guard let shown = Self.shown(url[start...]) else { return "\(url[..<start])…" }
        return "\(url[..<start])\(shown)"
    }

    /// Whether it is clear what in it is secret. Characters of a password that are not escaped may make libpq take parts of it for the
    /// host, the port or the database, which it then names.
    var isClear: Bool { url.firstRange(of: "://").map { Self.shown(url[$0.upperBound...]) != nil } ?? false }

    /// User, hosts and database; nil if these are not the parts that the characters `@`, `/`, `?` and `:` separate.
    private static func shown(_ text: Substring) -> String? {
        // Options may hold a password as well. An `@` after their beginning may be one of the user's password.
        let head = text.prefix { $0 != "?" }
        guard !text[head.endIndex...].contains("@") else { return nil }
        let authority = head.prefix { $0 != "/" }
        let path = head[authority.endIndex...]
        guard !path.contains("@"), authority.count(where: { $0 == "@" }) <= 1 else { return nil }
        guard let at = authority.firstIndex(of: "@") else { return hasPorts(authority) ? String(head) : nil }
        guard hasPorts(authority[authority.index(after: at)...]) else { return nil }
        return "\(authority[..<at].prefix { $0 != ":" })\(authority[at...])\(path)"
    }

    /// Whether what follows the hosts are numbers: a password whose user has no `@` behind it would stand there.
    private static func hasPorts(_ hosts: Substring) -> Bool {
        hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
            // An address of IPv6 has colons of its own.
            let rest = host.hasPrefix("[") ? host[(host.lastIndex(of: "]") ?? host.startIndex)...].dropFirst() : host
            guard let colon = rest.firstIndex(of: ":") else { return true }
            return rest[rest.index(after: colon)...].allSatisfy { $0.isASCII && $0.isNumber }
        }
    }

    /// What libpq says of a connection that failed, without the address if it repeats it.
    func withoutPassword(_ words: String) -> String {
        isClear ? words.replacing(url, with: description) : Self.withheld
    }

    /// In place of words that may hold parts of a password.
    static let withheld =
        "The address is not plain, so neither it nor libpq's words are shown: they may hold parts of a password. Write %40, %2F, %3F and %3A for @, /, ? and : in a password, or better leave it out, and set PGPASSWORD."
}
