#if Hub
    public import Events
    import Foundation
    public import LogExchange

    /// A hub's address, and one of its journals if the address names one: `https://HOST:PORT/JOURNAL`.
    public struct HubAddress: Hashable, Sendable, CustomStringConvertible {
        /// A name, or an IP address without brackets.
        public let host: String
        public let port: Int
        public let journal: JournalID?

        public init(host: String, port: Int, journal: JournalID? = nil) {
            self.host = host
            self.port = port
            self.journal = journal
        }

        /// From text. The port is 443 if none is named. Throws `ExchangeError.wrongAddress`.
        public init(_ text: String) throws(ExchangeError) {
            func wrong(_ why: String) -> ExchangeError {
                ExchangeError(
                    .wrongAddress,
                    "'\(text.prefix(200))' is no address of a hub: \(why). Such an address is written https://HOST:PORT or "
                        + "https://HOST:PORT/JOURNAL.")
            }
            guard let url = URLComponents(string: text), let scheme = url.scheme else {
                throw wrong("it cannot be read")
            }
            guard scheme.lowercased() == "https" else {
                throw wrong("it begins with \(scheme), and hubs speak https alone")
            }
            guard url.query == nil, url.fragment == nil, url.user == nil, url.password == nil else {
                throw wrong("it has more than a host, a port and a journal")
            }
            guard let name = url.host, !name.isEmpty else { throw wrong("it names no host") }
            host = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
            port = url.port ?? 443
            guard (1...65535).contains(port) else { throw wrong("there is no port \(port)") }
            let path = url.path.split(separator: "/", omittingEmptySubsequences: true)
            guard path.count <= 1 else { throw wrong("it has more than a journal behind the host") }
            if let named = path.first {
                guard let journal = JournalID(String(named)) else { throw wrong("'\(named)' is no journal's id") }
                self.journal = journal
            } else {
                journal = nil
            }
        }

        /// The address without a journal.
        public var server: HubAddress { HubAddress(host: host, port: port) }

        public var description: String {
            let host = host.contains(":") ? "[\(host)]" : host
            return "https://\(host):\(port)" + (journal.map { "/\($0)" } ?? "")
        }
    }
#endif
