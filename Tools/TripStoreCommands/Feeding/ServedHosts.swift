/// The names under which a server may be asked.
///
/// A page of another site can have its own name lead to this machine (DNS rebinding), and would then read what is served as its own. Its
/// requests name that site.
struct ServedHosts: Sendable {
    private let names: Set<String>

    /// - Parameters:
    ///   - listening: the address on which it listens.
    ///   - named: further names and addresses.
    init(listening host: String, named: [String] = []) {
        let own = Self.isEverywhere(host) ? [] : [host]
        let all = ["localhost", "127.0.0.1", "::1"] + own + named
        names = Set(all.map { Self.name(inHeader: $0) ?? $0.lowercased() })
    }

    /// Whether an address to listen on is every one of the machine, and so the name of none.
    static func isEverywhere(_ host: String) -> Bool { ["", "0.0.0.0", "::"].contains(host) }

    /// Whether nobody but this machine reaches an address to listen on.
    static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || host == "::1"
            || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// Whether the value of a header Host is among them. Its port may be any: a server that passes requests on has another.
    func contains(_ header: String) -> Bool { Self.name(inHeader: header).map(names.contains) ?? false }

    /// The name in a value of Host, in lower case, without the port, the brackets of an address of version 6, and the dot at the end of a
    /// full name; nil if it has not that form.
    static func name(inHeader header: String) -> String? {
        let header = header.lowercased()
        if header.hasPrefix("[") {
            guard let end = header.firstIndex(of: "]"), isPort(header[header.index(after: end)...]) else { return nil }
            let name = header[..<end].dropFirst()
            return name.isEmpty ? nil : String(name)
        }
        let name = header.prefix { $0 != ":" }
        guard isPort(header[name.endIndex...]) else { return nil }
        let host = name.hasSuffix(".") ? name.dropLast() : name
        return host.isEmpty ? nil : String(host)
    }

    /// Whether a text is empty, or a colon and digits.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
