import Foundation
import Synchronization

/// Decides who may talk to the inspector: the browser of the person who started it, and nobody else.
///
/// The address that is printed has a token that opens once, for addresses stay in histories; what holds from then on is a cookie. A page
/// of another site is refused by its origin, and one whose name was made to lead to this machine (DNS rebinding) by the host that it names.
struct InspectorDoor: Sendable {
    /// What a request may do.
    enum Entry: Equatable {
        case refused
        case passed
        /// It brought the token, which is used up: the answer sets the cookie.
        case opened(cookie: String)
    }

    let token: String
    private let secret: String
    private let port: Int
    private let isUsed = UsedMark()

    /// - Parameter random: 32 bytes each time, from the system's generator.
    init(port: Int, random: () -> [UInt8] = { (0..<32).map { _ in UInt8.random(in: .min ... .max) } }) {
        self.port = port
        token = random().base64URL
        secret = random().base64URL
    }

    func entry(_ request: WebRequest) -> Entry {
        guard let host = request.header("host"), hosts.contains(host.lowercased()) else { return .refused }
        // Every value counts: of a header that is sent twice, none may be passed over.
        guard request.values(of: "origin").allSatisfy({ $0 == "http://\(host)" }) else { return .refused }
        // A browser says so where a page of another site, or a part of one, asks: a link from elsewhere is refused as well.
        let isOwn = request.values(of: "sec-fetch-site").allSatisfy { ["same-origin", "none"].contains($0) }
        guard isOwn || request.path.starts(with: Self.opening) else { return .refused }
        if request.path.starts(with: Self.opening) {
            let given = String(request.path.dropFirst(Self.opening.count))
            guard request.method == "GET", given.utf8.hasSameBytes(as: token.utf8), isUsed.set() else {
                return .refused
            }
            return .opened(cookie: "\(cookieName)=\(secret); HttpOnly; SameSite=Strict; Path=/")
        }
        return request.cookies(cookieName).contains { $0.utf8.hasSameBytes(as: secret.utf8) } ? .passed : .refused
    }

    /// The path of the address that opens.
    static let opening = "/open/"

    /// Cookies are shared by all ports of a host.
    private var cookieName: String { "tripstore-inspect-\(port)" }

    private var hosts: [String] {
        let names = ["127.0.0.1", "localhost", "[::1]"]
        // Browsers leave out the port of the scheme.
        return names.map { "\($0):\(port)" } + (port == 80 ? names : [])
    }
}

/// Whether the token was used.
private final class UsedMark: Sendable {
    private let isUsed = Atomic(false)

    /// Whether it was not set before.
    func set() -> Bool { isUsed.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged }
}

extension Sequence<UInt8> {
    /// Whether the bytes are the same, in a time that does not tell how many of them are.
    func hasSameBytes(as other: some Collection<UInt8>) -> Bool {
        var difference = 0
        var rest = other[...]
        for byte in self {
            guard let next = rest.popFirst() else {
                difference |= 1
                continue
            }
            difference |= Int(byte ^ next)
        }
        return difference == 0 && rest.isEmpty
    }
}

extension [UInt8] {
    /// Base64 in the alphabet of addresses, without padding (RFC 4648, section 5).
    var base64URL: String {
        Data(self).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
