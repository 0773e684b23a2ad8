import Foundation
import StoreSupport
import Testing
import TripStore

@testable import TripStoreCommands

@Suite("The file of feeds' secrets")
struct FeedSecretsTests {
    private let folder = TemporaryFolder()
    private let secrets: FeedSecrets

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        secrets = FeedSecrets(in: folder.url)
    }

    private func feed() -> Feed {
        Feed(trip: .new(), secret: .new(), made: Date(timeIntervalSince1970: 1_800_000_000.25))
    }

    private func write(_ text: String, permissions: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: secrets.path))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: secrets.path)
    }

    private func code(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? CommandError)?.code }
        return nil
    }

    @Test("Secrets have 43 characters of addresses, all of them different, and none begins as an option does")
    func form() {
        let all = (0..<500).map { _ in FeedSecret.new().text }
        #expect(Set(all).count == all.count)
        #expect(all.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9_-]{42}/) != nil })
        for text in ["", "a", String(repeating: "a", count: 42), String(repeating: "é", count: 43), all[0] + "="] {
            #expect(FeedSecret(text) == nil)
        }
    }

    @Test("A secret is found by itself, by its path and by either of its addresses")
    func arguments() throws {
        let secret = FeedSecret.new()
        let target = secret.target(named: "lisbon")
        for text in [
            secret.text, target, "webcal://127.0.0.1:8747\(target)", "https://calendar.example\(target)?x",
        ] {
            #expect(FeedSecret(argument: text)?.text == secret.text, "\(text)")
        }
        for text in ["Lisbon", "01A1FD23", "https://calendar.example/\(secret.text)", "\(secret.text)x"] {
            #expect(FeedSecret(argument: text) == nil, "\(text)")
        }
    }

    @Test("What is written is read, from a file that its owner alone can read, and nothing else is left in the folder")
    func kept() throws {
        #expect(try secrets.feeds().isEmpty)
        let feeds = [feed(), feed()]
        for feed in feeds {
            try secrets.change { $0.append(feed) }
            let permissions = try FileManager.default.attributesOfItem(atPath: secrets.path)[.posixPermissions] as? Int
            #expect(permissions == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [FeedSecrets.fileName])
        }
        let read = try secrets.feeds()
        #expect(read.map(\.trip) == feeds.map(\.trip) && read.map(\.secret.text) == feeds.map(\.secret.text))
        #expect(read.map(\.made) == feeds.map(\.made))
        #expect(try secrets.feed(with: feeds[1].secret)?.trip == feeds[1].trip)
        #expect(try secrets.feed(with: .new()) == nil)
        _ = try secrets.change { $0.removeFirst() }
        #expect(try secrets.feed(with: feeds[0].secret) == nil)
    }

    @Test("A change that fails leaves the file as it is")
    func failing() throws {
        try secrets.change { $0.append(feed()) }
        #expect(throws: CancellationError.self) {
            try secrets.change { (feeds: inout [Feed]) -> Void in
                feeds = []
                throw CancellationError()
            }
        }
        #expect(try secrets.feeds().count == 1)
    }

    @Test("Of many writers at a time each change is kept")
    func writers() async throws {
        let (secrets, feeds) = (secrets, (0..<20).map { _ in feed() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for feed in feeds { group.addTask { try secrets.change { $0.append(feed) } } }
            try await group.waitForAll()
        }
        #expect(Set(try secrets.feeds().map(\.trip)) == Set(feeds.map(\.trip)))
    }

    @Test(
        "A file that others may read is refused, with what to do, and not written",
        arguments: [0o644, 0o640, 0o606, 0o700])
    func permissions(permissions: Int) throws {
        try secrets.change { $0.append(feed()) }
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: secrets.path)
        let before = FileManager.default.contents(atPath: secrets.path)
        #expect(code { _ = try secrets.feeds() } == "feedsNotPrivate")
        #expect(code { try secrets.change { $0.append(feed()) } } == "feedsNotPrivate")
        #expect(FileManager.default.contents(atPath: secrets.path) == before)
        do { _ = try secrets.feeds() } catch {
            #expect("\(error)".contains("chmod 600") && "\(error)".contains(String(permissions, radix: 8)))
        }
    }

    @Test(
        "A damaged file is refused, with what to do, and not written",
        arguments: [
            "", "[]", "{}", "{\"version\":\"1\",\"feeds\":[]}", "{\"version\":1}", "{\"version\":1,\"feeds\":{}}",
            "{\"version\":1,\"feeds\":[{}]}", "{\"version\":1,\"feeds\":[", "\u{0}",
            "{\"version\":1,\"feeds\":[{\"trip\":\"x\",\"secret\":\"y\",\"made\":\"z\"}]}",
        ])
    func damaged(text: String) throws {
        try write(text)
        #expect(code { _ = try secrets.feeds() } == "damagedFeeds")
        #expect(code { try secrets.change { $0 = [] } } == "damagedFeeds")
        #expect(try String(contentsOfFile: secrets.path, encoding: .utf8) == text)
        do { _ = try secrets.feeds() } catch { #expect("\(error)".contains("'tripstore feed add TRIP'")) }
    }

    @Test("A file of a newer version is refused as such, and unknown members of this one are passed over")
    func versions() throws {
        try write("{\"version\":2,\"feeds\":[]}")
        #expect(code { _ = try secrets.feeds() } == "newerFeeds")
        let feed = feed()
        try write(
            "{\"version\":1,\"x\":1,\"feeds\":[{\"trip\":\"\(feed.trip)\",\"secret\":\"\(feed.secret.text)\","
                + "\"made\":\"2027-01-02T10:00:00.250Z\",\"y\":[]}]}")
        #expect(try secrets.feeds().map(\.trip) == [feed.trip])
    }

    @Test("A folder and a link in the place of the file are refused")
    func otherFiles() throws {
        try FileManager.default.createDirectory(atPath: secrets.path, withIntermediateDirectories: false)
        #expect(throws: (any Error).self) { try secrets.feeds() }
        try FileManager.default.removeItem(atPath: secrets.path)
        try Data("{\"version\":1,\"feeds\":[]}".utf8).write(to: URL(fileURLWithPath: folder.path("other")))
        try FileManager.default.createSymbolicLink(atPath: secrets.path, withDestinationPath: "other")
        #expect(throws: (any Error).self) { try secrets.feeds() }
        #expect(throws: (any Error).self) { try secrets.change { $0.append(feed()) } }
    }
}
