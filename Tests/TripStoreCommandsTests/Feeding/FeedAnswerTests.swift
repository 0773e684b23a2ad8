import Foundation
import Testing

@testable import TripStoreCommands

@Suite("Answers to requests for feeds")
struct FeedAnswerTests {
    private let secret = FeedSecret.new()
    private let calendar = FeedCalendar("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
    private let hosts = ServedHosts(listening: "192.168.1.5", named: ["Calendar.Example", "laptop.local:8747"])

    /// An answer where there is one feed, with the secret.
    private func answer(_ request: WebRequest) async throws -> WebAnswer {
        try await FeedAnswer.answer(to: request, as: hosts) { $0.matches(secret) ? calendar : nil }
    }

    private var target: String { secret.target(named: "lisbon") }

    @Test("A feed is a calendar with its type and a strong tag, which no cache on the way keeps")
    func found() async throws {
        let answer = try await answer(.get(target))
        #expect(answer.status == 200 && answer.bytes == calendar.bytes)
        #expect(answer["content-type"] == "text/calendar; charset=utf-8")
        #expect(answer["etag"]?.wholeMatch(of: /"[0-9a-f]{64}"/) != nil)
        #expect(answer["cache-control"] == "private, no-cache")
        #expect(answer["referrer-policy"] == "no-referrer" && answer["x-content-type-options"] == "nosniff")
    }

    @Test("HEAD gets the headers of GET and the length, and no bytes")
    func head() async throws {
        let request = WebRequest(method: "HEAD", target: target, headers: [(name: "host", value: "localhost")])
        let (head, get) = (try await answer(request), try await answer(.get(target)))
        #expect(head.status == 200 && head.bytes == [] && head["etag"] == get["etag"])
        #expect(head["content-length"] == "\(calendar.bytes.count)")
        let conditional = WebRequest(
            method: "HEAD", target: target, headers: request.headers + [(name: "if-none-match", value: "*")])
        #expect(try await answer(conditional).status == 304)
    }

    @Test("Who has the tag, strong or weak, alone or in a list, gets 304 with the tag and without bytes")
    func conditional() async throws {
        let tag = calendar.tag
        for values in [
            [tag], ["W/\(tag)"], ["*"], ["\"other\", \(tag)"], ["\"a,b\" ,\t, W/\(tag)"], ["\"other\"", tag],
        ] {
            let answer = try await answer(.get(target, values.map { (name: "if-none-match", value: $0) }))
            #expect(answer.status == 304 && answer.bytes == [] && answer["etag"] == tag, "\(values)")
            #expect(answer["cache-control"] == "private, no-cache" && answer["content-type"] == nil)
        }
        for value in [
            "", "\"other\"", String(tag.dropFirst().dropLast()), "w/\(tag)", "\"", "\(tag.dropLast())", "x \(tag)",
        ] {
            let answer = try await answer(.get(target, [(name: "if-none-match", value: value)]))
            #expect(answer.status == 200, "\(value)")
        }
    }

    @Test("The last part of the path may be any name, and a query is passed over")
    func names() async throws {
        let path = "/feed/\(secret.text)"
        for target in ["\(path)/porto.ics", "\(path)/.ics", "\(path)/%F0%9F%98%80.ics", "\(path)/lisbon.ics?token=1"] {
            #expect(try await answer(.get(target)).status == 200, "\(target)")
        }
    }

    @Test("A wrong secret and any other path get the same 404, which says nothing else")
    func unknown() async throws {
        let (text, other) = (secret.text, FeedSecret.new().text)
        let near = String(text.dropLast()) + (text.hasSuffix("A") ? "B" : "A")
        let first = try await answer(.get("/"))
        for target in [
            "", "*", "/feed", "/feed/", "/feed/\(text)", "/feed/\(text)/", "/feed/\(text)/lisbon",
            "/feed/\(text)/a/b.ics",
            "//feed/\(text)/lisbon.ics", "/FEED/\(text)/lisbon.ics", "/feed/\(other)/lisbon.ics",
            "/feed/\(near)/lisbon.ics", "/feed/\(text)=/lisbon.ics", "/feed/\(text.dropLast())/lisbon.ics",
            "/feed/%/lisbon.ics", "/feed/../feed/\(text)/lisbon.ics", "http://localhost/feed/\(text)/lisbon.ics",
        ] {
            let answer = try await answer(.get(target))
            #expect(answer.status == 404 && answer.bytes == [], "\(target)")
            #expect(answer.headers.map(\.0) == first.headers.map(\.0), "\(target)")
            #expect(answer.headers.map(\.1) == first.headers.map(\.1), "\(target)")
            #expect(answer["etag"] == nil && answer["cache-control"] == "no-store", "\(target)")
        }
    }

    @Test("Other methods get 405 with those that are served, whether the secret is right or not")
    func methods() async throws {
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "PROPFIND", "get", ""] {
            for target in [target, "/feed/\(FeedSecret.new().text)/lisbon.ics", "/"] {
                let request = WebRequest(method: method, target: target, headers: [(name: "host", value: "localhost")])
                let answer = try await answer(request)
                #expect(answer.status == 405 && answer["allow"] == "GET, HEAD" && answer.bytes == [], "\(method)")
            }
        }
    }

    @Test("A host is served under its names, with any port and in any case")
    func ownHosts() async throws {
        for host in [
            "localhost", "LOCALHOST:8747", "127.0.0.1:1", "[::1]", "[::1]:8747", "192.168.1.5:8747", "calendar.example",
            "calendar.example.", "laptop.local",
        ] {
            #expect(hosts.contains(host), "\(host)")
        }
    }

    @Test("A request for another host gets 421, and one that names none or several 400, before its path is looked at")
    func otherHosts() async throws {
        for host in [
            "evil.example", "evil.example:8747", "localhost.evil.example", "evil.example/localhost", "192.168.1.55", "",
            ":8747",
            "[::2]", "[::1", "::1", "localhost:x", "localhost:1:2", "user@localhost", "0.0.0.0",
        ] {
            let request = WebRequest(method: "GET", target: target, headers: [(name: "host", value: host)])
            let answer = try await answer(request)
            #expect(answer.status == 421 && answer.bytes == [] && answer["etag"] == nil, "\(host)")
        }
        #expect(try await answer(WebRequest(method: "GET", target: target)).status == 400)
        let two = ["localhost", "evil.example"].map { (name: "host", value: $0) }
        #expect(try await answer(WebRequest(method: "GET", target: target, headers: two)).status == 400)
    }

    @Test("A server on every address of the machine has the names that it is given, and those of loopback")
    func everywhere() {
        for listening in ["0.0.0.0", "::"] {
            let hosts = ServedHosts(listening: listening, named: ["laptop.local"])
            #expect(hosts.contains("laptop.local:8747") && hosts.contains("localhost"))
            #expect(!hosts.contains("0.0.0.0") && !hosts.contains("[::]"))
        }
    }
}
