import Testing

@testable import TripStoreCommands

@Suite("Who may talk to the inspector")
struct InspectorDoorTests {
    private let door = InspectorDoor(port: 8080, random: { [UInt8](repeating: 7, count: 32) })

    private func entry(
        _ target: String, method: String = "GET", _ headers: [(name: String, value: String)] = []
    ) -> InspectorDoor.Entry {
        let host = headers.contains { $0.name == "host" } ? [] : [(name: "host", value: "127.0.0.1:8080")]
        return door.entry(WebRequest(method: method, target: target, headers: host + headers))
    }

    private func cookie() throws -> String {
        guard case .opened(let cookie) = entry("/open/\(door.token)") else {
            throw InspectorFault(403, "refused", "The token did not open.")
        }
        return String(cookie.prefix { $0 != ";" })
    }

    @Test("The token opens once, and sets a cookie that only this site's pages send")
    func token() throws {
        guard case .opened(let cookie) = entry("/open/\(door.token)") else {
            Issue.record("It is refused.")
            return
        }
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
        #expect(entry("/open/\(door.token)") == .refused)
        #expect(entry("/", [("cookie", String(cookie.prefix { $0 != ";" }))]) == .passed)
    }

    @Test("The cookie of an inspector does not have its token, which stays in histories, nor that of another inspector")
    func secrets() {
        let doors = (0..<2).map { _ in InspectorDoor(port: 80) }
        let cookies = doors.map { door in
            door.entry(
                WebRequest(method: "GET", target: "/open/\(door.token)", headers: [("host", "127.0.0.1:80")]))
        }
        #expect(cookies[0] != cookies[1] && doors[0].token != doors[1].token)
        for (door, cookie) in zip(doors, cookies) {
            guard case .opened(let text) = cookie else {
                Issue.record("It is refused.")
                continue
            }
            #expect(!text.contains(door.token))
        }
    }

    @Test("On the port of the scheme a host has none, as browsers send it")
    func schemePort() {
        let door = InspectorDoor(port: 80)
        let target = "/open/\(door.token)"
        let entry = door.entry(WebRequest(method: "GET", target: target, headers: [("host", "127.0.0.1")]))
        #expect(entry != .refused)
    }

    @Test(
        "Without the cookie, or with another, everything is refused",
        arguments: ["/", "/api/1/trips", "/inspect.js", "/open/", "/open/other", "/open/../", "/nothing"])
    func refused(target: String) {
        #expect(entry(target) == .refused)
        #expect(entry(target, [("cookie", "tripstore-inspect-8080=other; tripstore-inspect-80=")]) == .refused)
    }

    @Test("A used token opens no second browser, and one that is asked by another method stays")
    func methods() throws {
        #expect(entry("/open/\(door.token)", method: "POST") == .refused)
        _ = try cookie()
        #expect(entry("/open/\(door.token)") == .refused)
    }

    @Test(
        "A host by another name is refused: a name that was made to lead here is no way in",
        arguments: ["example.org", "example.org:8080", "127.0.0.1", "127.0.0.1:80", "localhost:8081", "[::1]", ""])
    func hosts(host: String) throws {
        let cookie = try cookie()
        #expect(entry("/", [("cookie", cookie), ("host", host)]) == .refused)
        #expect(entry("/", [("cookie", cookie), ("host", "localhost:8080")]) == .passed)
        #expect(entry("/", [("cookie", cookie), ("host", "LOCALHOST:8080")]) == .passed)
        let twice: [(name: String, value: String)] = [
            ("cookie", cookie), ("host", "127.0.0.1:8080"), ("host", "example.org"),
        ]
        #expect(door.entry(WebRequest(method: "GET", target: "/", headers: twice)) == .refused)
    }

    @Test("Another site's page is refused, by its origin and by what the browser says of it")
    func origins() throws {
        let cookie = try cookie()
        for origin in ["http://example.org", "null", "http://127.0.0.1:80", "https://127.0.0.1:8080"] {
            #expect(entry("/api/1/redo", method: "POST", [("cookie", cookie), ("origin", origin)]) == .refused)
        }
        for site in ["cross-site", "same-site", "other"] {
            #expect(entry("/", [("cookie", cookie), ("sec-fetch-site", site)]) == .refused)
        }
        for name in ["origin", "sec-fetch-site"] {
            let own = name == "origin" ? "http://127.0.0.1:8080" : "same-origin"
            #expect(entry("/", [("cookie", cookie), (name, own), (name, "http://example.org")]) == .refused)
        }
        #expect(entry("/", [("cookie", cookie), ("sec-fetch-site", "same-origin")]) == .passed)
        #expect(entry("/", [("cookie", cookie), ("origin", "http://127.0.0.1:8080")]) == .passed)
    }

    @Test("Bytes are compared to their end, whatever their number")
    func bytes() {
        #expect("abc".utf8.hasSameBytes(as: "abc".utf8) && "".utf8.hasSameBytes(as: "".utf8))
        for other in ["", "ab", "abd", "abcd", "xbc"] { #expect(!"abc".utf8.hasSameBytes(as: other.utf8)) }
    }
}
