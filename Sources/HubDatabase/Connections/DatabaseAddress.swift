import Foundation

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

    /// The hosts over a network to which a connection proves neither that it is encrypted nor whom it leads to: all that are neither this
    /// machine nor a socket, unless the address asks for `sslmode=verify-full`. A password, and every commit, could be read on the way, or
    /// another server answer.
    ///
    /// The environment's values, as libpq reads them, stand for parts that the address leaves out.
    public func openHosts(environment: [String: String]) -> [String] {
        guard let start = url.firstRange(of: "://")?.upperBound else { return [] }
        let rest = url[start...]
        let (head, query) = (rest.prefix { $0 != "?" }, rest.drop { $0 != "?" }.dropFirst())
        var options: [String: String] = [:]
        for option in query.split(separator: "&") {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            options[String(parts[0])] = parts.count > 1 ? Self.unescaped(parts[1]) : ""
        }
        // The last one counts in libpq too.
        if (options["sslmode"] ?? environment["PGSSLMODE"]) == "verify-full" { return [] }
        let authority = head.prefix { $0 != "/" }
        let named =
            authority.split(separator: "@", omittingEmptySubsequences: false).last.map { Self.unescaped($0) } ?? ""
        var hosts = named.split(separator: ",", omittingEmptySubsequences: false).map { Self.withoutPort(String($0)) }
        if let host = options["host"] ?? (hosts.allSatisfy(\.isEmpty) ? environment["PGHOST"] : nil) {
            hosts = host.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        // An address is what is connected to; a host beside it is only a name.
        if let address = options["hostaddr"] ?? environment["PGHOSTADDR"], !address.isEmpty {
            hosts = address.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        // A service of libpq's file may lead anywhere.
        if let service = options["service"] ?? environment["PGSERVICE"] { return [service] }
        return hosts.filter { !Self.isLocal($0) }
    }

    private static func withoutPort(_ host: String) -> String {
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            return String(host[host.index(after: host.startIndex)..<end])
        }
        return String(host.prefix { $0 != ":" })
    }

    /// A folder of sockets, an abstract socket, or this machine.
    private static func isLocal(_ host: String) -> Bool {
        host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
            || host.split(separator: ".").count == 4 && host.hasPrefix("127.")
                && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    private static func unescaped(_ text: Substring) -> String { String(text).removingPercentEncoding ?? String(text) }

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
