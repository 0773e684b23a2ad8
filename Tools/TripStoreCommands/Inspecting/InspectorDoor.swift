import EventLog
import Synchronization

/// Decides who may talk to the inspector: the browser of the person who started it, and nobody else.
///
/// Every path begins with a token, and below it a cookie counts that the first request gets: an address in a history opens nothing. A
/// page of another site is refused by its origin, and one whose name was made to lead to this machine (DNS rebinding) by the host that
/// it names. Browsers send a cookie to every port of a host, and so to what another user of this machine serves there: hence the path,
/// without which they do not send it.
struct InspectorDoor: Sendable {
    /// What a request may do.
    enum Entry: Equatable {
        case refused
        /// It is about a path below the root, which begins with a slash.
        case passed(path: String)
        /// It is the first, and no other gets the cookie that the answer sets.
        case opened(cookie: String)
    }

    private let token: String
    private let secret: String
    private let port: Int
    private let isUsed = UsedMark()

    /// - Parameter random: 32 bytes each time, from the system's generator.
    init(port: Int, random: () -> [UInt8] = { Dependencies.system.randomBytes(32) }) {
        self.port = port
        token = random().base64URL
        secret = random().base64URL
    }

    /// The address that opens, once.
    var address: String { "http://127.0.0.1:\(port)\(root)\(Self.opening)" }

    /// The path of the page; with a slash at its end.
    private var root: String { "/\(token)/" }
    private static let opening = "open"

    func entry(_ request: WebRequest) -> Entry {
        guard let host = request.header("host"), hosts.contains(host) else { return .refused }
        // Every value counts: of a header that is sent twice, none may be passed over.
        guard request.values(of: "origin").allSatisfy({ $0 == "http://\(host)" }) else { return .refused }
        let bytes = request.path.utf8
        guard bytes.prefix(root.utf8.count).hasSameBytes(as: root.utf8) else { return .refused }
        let path = String(decoding: bytes.dropFirst(root.utf8.count), as: UTF8.self)
        if path == Self.opening {
            guard request.method == "GET", isUsed.set() else { return .refused }
            return .opened(cookie: "\(cookieName)=\(secret); HttpOnly; SameSite=Strict; Path=\(root)")
        }
        // A browser says so where a page of another site, or a part of one, asks: a link from elsewhere is refused as well.
        let isOwn = request.values(of: "sec-fetch-site").allSatisfy { ["same-origin", "none"].contains($0) }
        let isKnown = request.cookies(cookieName).contains { $0.utf8.hasSameBytes(as: secret.utf8) }
        return isOwn && isKnown ? .passed(path: "/\(path)") : .refused
    }

    /// One for each port, so that one inspector does not replace another's.
    private var cookieName: String { "tripstore-inspect-\(port)" }

    /// Browsers leave out the port of the scheme.
    private var hosts: [String] { ["127.0.0.1:\(port)"] + (port == 80 ? ["127.0.0.1"] : []) }
}

/// Whether the token was used.
private final class UsedMark: Sendable {
    private let isUsed = Atomic(false)

    /// Whether it was not set before.
    func set() -> Bool { isUsed.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged }
}
