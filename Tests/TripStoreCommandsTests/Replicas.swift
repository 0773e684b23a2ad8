import Foundation
import Testing

/// Two tools whose stores are replicas of each other.
struct Replicas {
    let ana: Tool
    let ben: Tool

    init() async throws {
        ana = Tool()
        ben = Tool()
        #expect(await ana.run("init", "--name", "ana's phone").code == 0)
        let cloned = await Tool.run(["clone", ana.path, ben.path, "--name", "ben's laptop"])
        #expect(cloned.code == 0, "\(cloned.error)")
    }

    /// A trip that both hold.
    func trip(named name: String) async throws -> String {
        let trip = try await ana.value("add", "trip", "--name", name, "--author", "ana")
        try await meet()
        return trip
    }

    /// Exchanges commits in both directions.
    func meet() async throws {
        let synced = await ana.run("sync", ben.path)
        #expect(synced.code == 0, "\(synced.error)")
        // So that the next write is later, on both replicas.
        try await Task.sleep(for: .milliseconds(3))
    }

    /// Both hold the same, and their views return the same.
    func expectEqual(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let (here, there) = (try await ana.state(), try await ben.state())
        #expect(here.frontier == there.frontier, sourceLocation: sourceLocation)
        #expect(here.digests == there.digests && !here.digests.isEmpty, sourceLocation: sourceLocation)
        for tool in [ana, ben] { await tool.expectInvariants(sourceLocation: sourceLocation) }
    }
}

extension Tool {
    /// The store's frontier: equal on replicas that hold the same commits.
    func state() async throws -> (frontier: [String: Int], digests: [String: String]) {
        let status = try await run("status", "--digests", "--json").object()
        let views = try #require(status["views"] as? [[String: Any]])
        var digests: [String: String] = [:]
        for view in views { digests[view["name"] as? String ?? ""] = view["digest"] as? String }
        return (try #require(status["frontier"] as? [String: Int]), digests)
    }

    /// The replica that the store writes as.
    func replica() async throws -> String {
        try #require(try await run("status", "--json").object()["replica"] as? String)
    }

    /// A trip's members.
    func trip(_ id: String) async throws -> [String: Any] {
        try #require(try await run("show", id, "--json").object()["trip"] as? [String: Any])
    }
}

extension [String: Any] {
    /// The number of commits of a part of an exchange, as in "sent".
    func commits(_ part: String) -> Int? { (self[part] as? [String: Any])?["commits"] as? Int }

    /// Whether a member is null or an empty list.
    func lacks(_ name: String) -> Bool { self[name] is NSNull || (self[name] as? [Any])?.isEmpty == true }

    /// The local time of a moment.
    func moment(_ name: String) -> String? { (self[name] as? [String: Any])?["time"] as? String }

    func objects(_ name: String) -> [[String: Any]] { self[name] as? [[String: Any]] ?? [] }
}
