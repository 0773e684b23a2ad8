import Foundation
import Testing

@testable import TripStoreCommands

@Suite("Who may talk to the inspector")
struct InspectorDoorTests {
    private let door = InspectorDoor(port: 8080, random: { [UInt8](repeating: 7, count: 32) })

    /// The path of the address, and the one below which all else lies.
    private var opening: String { String(door.address.dropFirst("http://127.0.0.1:8080".count)) }
    private var root: String { String(opening.dropLast("open".count)) }

    private func entry(
        _ target: String, method: String = "GET", _ headers: [(name: String, value: String)] = []
    ) -> InspectorDoor.Entry {
        let host = headers.contains { $0.name == "host" } ? [] : [(name: "host", value: "127.0.0.1:8080")]
        return door.entry(WebRequest(method: method, target: target, headers: host + headers))
    }

    private func cookie() throws -> String {
        guard case .opened(let cookie) = entry(opening) else {
            throw InspectorFault(403, "refused", "The token did not open.")
        }
        return String(cookie.prefix { $0 != ";" })
    }

    @Test("The token opens once, and sets a cookie that only this site's pages send")
    func token() throws {
        guard case .opened(let cookie) = entry(opening) else {
            Issue.record("It is refused.")
            return
        }
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=\(root)"))
        #expect(entry(opening) == .refused)
        #expect(entry(root, [("cookie", String(cookie.prefix { $0 != ";" }))]) == .passed(path: "/"))
    }

    @Test("The cookie of an inspector does not have its token, which stays in histories, nor that of another inspector")
    func secrets() {
        let doors = (0..<2).map { _ in InspectorDoor(port: 80) }
        let cookies = doors.map { door in
            door.entry(
                WebRequest(method: "GET", target: door.openingPath, headers: [("host", "127.0.0.1:80")]))
        }
        #expect(cookies[0] != cookies[1] && doors[0].address != doors[1].address)
        for (door, cookie) in zip(doors, cookies) {
            guard case .opened(let text) = cookie else {
                Issue.record("It is refused.")
                continue
            }
            #expect(!text.prefix { $0 != ";" }.contains(door.openingPath.split(separator: "/")[0]))
        }
    }

    @Test("On the port of the scheme a host has none, as browsers send it")
    func schemePort() {
        let door = InspectorDoor(port: 80)
        let entry = door.entry(WebRequest(method: "GET", target: door.openingPath, headers: [("host", "127.0.0.1")]))
        #expect(entry != .refused)
    }

    @Test(
        "Without the cookie, or with another, everything is refused",
        arguments: ["", "api/1/trips", "inspect.js", "open/", "../", "nothing"])
    func refused(target: String) {
        for target in [root + target, "/" + target] {
            #expect(entry(target) == .refused)
            #expect(entry(target, [("cookie", "tripstore-inspect-8080=other; tripstore-inspect-80=")]) == .refused)
        }
    }

    @Test(
        "The cookie counts for nothing at a path that lacks the token: a server that got hold of it knows no such path")
    func paths() throws {
        let cookie = try cookie()
        for target in [
            "/", "/api/1/trips", "/open", "/x" + root.dropFirst(2), root.dropLast() + "x/", String(root.dropLast()),
        ] {
            #expect(entry(target, [("cookie", cookie)]) == .refused)
        }
        #expect(entry(root + "api/1/trips?limit=3", [("cookie", cookie)]) == .passed(path: "/api/1/trips"))
    }

    @Test("A used token opens no second browser, and one that is asked by another method stays")
    func methods() throws {
        #expect(entry(opening, method: "POST") == .refused)
        _ = try cookie()
        #expect(entry(opening) == .refused)
    }

    @Test(
        "A host by another name is refused: a name that was made to lead here is no way in",
        arguments: ["example.org", "example.org:8080", "127.0.0.1", "127.0.0.1:80", "localhost:8080", "[::1]:8080", ""])
    func hosts(host: String) throws {
        let cookie = try cookie()
        #expect(entry(root, [("cookie", cookie), ("host", host)]) == .refused)
        let twice: [(name: String, value: String)] = [
            ("cookie", cookie), ("host", "127.0.0.1:8080"), ("host", "example.org"),
        ]
        #expect(door.entry(WebRequest(method: "GET", target: root, headers: twice)) == .refused)
    }

    @Test("Another site's page is refused, by its origin and by what the browser says of it")
    func origins() throws {
        let cookie = try cookie()
        for origin in ["http://example.org", "null", "http://127.0.0.1:80", "https://127.0.0.1:8080"] {
            #expect(entry(root + "api/1/redo", method: "POST", [("cookie", cookie), ("origin", origin)]) == .refused)
        }
        for site in ["cross-site", "same-site", "other"] {
            #expect(entry(root, [("cookie", cookie), ("sec-fetch-site", site)]) == .refused)
        }
        for name in ["origin", "sec-fetch-site"] {
            let own = name == "origin" ? "http://127.0.0.1:8080" : "same-origin"
            #expect(entry(root, [("cookie", cookie), (name, own), (name, "http://example.org")]) == .refused)
        }
        #expect(entry(root, [("cookie", cookie), ("sec-fetch-site", "same-origin")]) == .passed(path: "/"))
        #expect(entry(root, [("cookie", cookie), ("origin", "http://127.0.0.1:8080")]) == .passed(path: "/"))
    }

    @Test("Bytes are compared to their end, whatever their number")
    func bytes() {
        #expect("abc".utf8.hasSameBytes(as: "abc".utf8) && "".utf8.hasSameBytes(as: "".utf8))
        for other in ["", "ab", "abd", "abcd", "xbc"] { #expect(!"abc".utf8.hasSameBytes(as: other.utf8)) }
    }
}

extension InspectorDoor {
    /// The path of the address.
    var openingPath: String { URL(string: address)?.path ?? "" }
}
