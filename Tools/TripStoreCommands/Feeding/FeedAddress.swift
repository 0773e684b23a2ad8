import ArgumentParser
import Foundation

/// The server that addresses of feeds name, on the command line: HOST, HOST:PORT, or a server of the web that passes requests on.
struct FeedServer: ExpressibleByArgument {
    /// The default port: a subscription needs one that stays. It is T, R, I and P on the keys of a telephone, assigned to no other service,
    /// needs no privilege, and is below the ports that systems give to connections.
    static let defaultPort = 8747
    static let standard = FeedServer(isSecure: false, host: "127.0.0.1", port: defaultPort)

    /// Whether it speaks TLS.
    private let isSecure: Bool
    /// A name, or an IP address without brackets.
    private let host: String
    /// Nil for the one of the scheme.
    private let port: Int?

    private init(isSecure: Bool, host: String, port: Int?) {
        (self.isSecure, self.host, self.port) = (isSecure, host, port)
    }

    init?(argument: String) {
        let schemes = ["https://", "http://"]
        let scheme = schemes.first { argument.lowercased().hasPrefix($0) }
        var rest = String(argument.dropFirst(scheme?.count ?? 0))
        if scheme != nil, rest.hasSuffix("/") { rest.removeLast() }
        let isPlain = rest.utf8.allSatisfy { byte in
            byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
                || "-._:[]".utf8.contains(byte)
        }
        guard isPlain, let name = ServedHosts.name(inHeader: rest) else { return nil }
        let port = ListenArgument(argument: rest)?.port
        // A port that is none.
        if port == 0 || port == nil && rest.contains(":") && !rest.hasSuffix("]") { return nil }
        self.init(
            isSecure: scheme == "https://", host: name, port: port ?? (scheme == nil ? FeedServer.defaultPort : nil))
    }

    /// The address of a target there, for browsers and programs.
    func web(_ target: String) -> String { address(isSecure ? "https" : "http", target) }

    /// The address that calendar programs open as a subscription.
    func calendar(_ target: String) -> String { address(isSecure ? "webcals" : "webcal", target) }

    private func address(_ scheme: String, _ target: String) -> String {
        let authority = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(authority)\(port.map { ":\($0)" } ?? "")\(target)"
    }
}

/// The server that printed addresses name.
struct FeedServerOption: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            """
            The server that the addresses name: HOST, HOST:PORT, or https://HOST for one that passes requests on. Default: \
            127.0.0.1:\(FeedServer.defaultPort).
            """, valueName: "server"))
    var given: FeedServer?

    var server: FeedServer { given ?? .standard }
}
