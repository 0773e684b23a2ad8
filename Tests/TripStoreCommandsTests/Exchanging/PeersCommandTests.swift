import Foundation
import StoreSupport
import Testing

@testable import TripStoreCommands

@Suite("peers, and how status shows them")
struct PeersCommandTests {
    private static let members: Set = ["replica", "name", "lastExchange", "acknowledged", "toSend"]

    @Test("A peer is listed with what it acknowledged, when, and what is still to be sent to it")
    func listing() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        let (ana, ben) = (try await replicas.ana.replica(), try await replicas.ben.replica())
        var peer = try #require(try await replicas.ana.run("status", "--json").object().objects("peers").first)
        #expect(Set(peer.keys) == Self.members)
        #expect(peer["replica"] as? String == ben && peer["name"] as? String == "ben's laptop")
        #expect((peer["lastExchange"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        #expect(peer["acknowledged"] as? [String: Int] == [ana: 3] && peer["toSend"] as? Int == 0)

        _ = try await replicas.ana.value("edit", trip, "--name", "Porto")
        peer = try await replicas.ana.run("peers", "--json").object()
        #expect(peer["toSend"] as? Int == 1 && (peer["bytesToSend"] as? Int ?? 0) > 0)
        #expect(peer["toReceive"] as? Int == 0 && peer["lastError"] is NSNull)
        #expect((peer["frontierText"] as? String)?.hasPrefix("\(ana):3:") == true)
        // The other side has recorded the same of this one.
        let there = try await replicas.ben.run("peers", "--json").object()
        #expect(there["replica"] as? String == ana && there["acknowledged"] as? [String: Int] == [ana: 3])
    }

    @Test("For people a line each, in peers and in status")
    func words() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        let ben = try await replicas.ben.replica()
        var line = try #require(await replicas.ana.run("peers").out.first)
        #expect(line.hasPrefix("\(ben)  ben's laptop  exchanged 2") && line.hasSuffix("Z  holds all of this"))
        _ = try await replicas.ana.value("edit", trip, "--name", "Porto")
        line = try #require(await replicas.ana.run("peers").out.first)
        #expect(line.contains("  1 commit, ") && line.hasSuffix(" B to send"))
        let status = try #require(await replicas.ana.run("status").out.first)
        #expect(status.split(separator: "\n").contains { $0.hasPrefix("peer  \(ben)  ben's laptop  exchanged ") })
    }

    @Test("On a terminal peers, members and the status are no wider than it, with ids as short as tells them apart")
    func narrow() async throws {
        let replicas = try await Replicas()
        let (tool, trip) = (replicas.ana, try await replicas.trip(named: "Lisbon"))
        for number in 1...3 { _ = try await tool.value("edit", trip, "--name", "Porto \(number)") }
        #expect(await tool.run("invite", "--until", "2099-05-01").code == 0)
        func lines(_ words: [String], _ columns: Int) async -> [String] {
            let outcome = await Tool.run(words + ["--store", tool.path]) { $0.layout = TextLayout(columns: columns) }
            #expect(outcome.code == 0, "\(outcome.error)")
            return outcome.out.flatMap { $0.components(separatedBy: "\n") }
        }
        for columns in [80, 120] {
            for words in [["peers"], ["members"], ["status"], ["status", "--digests"]] {
                for line in await lines(words, columns) { #expect(line.columns <= columns, "\(words): \(line)") }
            }
        }
        let peer = try #require(await lines(["peers"], 80).first)
        // The edits, and the invitation.
        #expect(peer.contains("ben's laptop") && peer.contains("  4 commits, "), "\(peer)")
        // What a list shows of the key of an invitation is enough to take it back.
        let invitation = try #require(await lines(["members"], 80).first { $0.hasPrefix("invitation") })
        let key = try #require(invitation.split(separator: " ").dropFirst().first)
        #expect(key.count == 16 && invitation.contains("0 of 1 used"), "\(invitation)")
        #expect(await tool.run("invite", "--withdraw", String(key.prefix(7))).code == 2)
        #expect(await tool.run("invite", "--withdraw", String(key)).code == 0)
        #expect(await !tool.run("members").out.contains { $0.hasPrefix("invitation") })
        for tool in [replicas.ana, replicas.ben] { await tool.expectInvariants() }
    }

    @Test("An erasure is listed with each peer as acknowledged once the peer holds its statement")
    func erasures() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        let (ana, ben) = (replicas.ana, replicas.ben)
        #expect(try await ana.run("peers", "--json").object().lacks("erasures"))
        for name in ["Tram", "Walk"] {
            let item = try await ana.value("add", "activity", "--name", name, "--trip", trip)
            #expect(await ana.run("erase", item, "--yes").code == 0)
        }
        let stated = try await ana.run("erasures", "--json").objects().compactMap { $0["position"] as? Int }
        #expect(stated.count == 2)
        var peer = try await ana.run("peers", "--json").object()
        #expect(peer["erasuresToSend"] as? [Int] == stated && peer.lacks("erasures"))
        let open = stated.map { "\($0)" }.joined(separator: ", ")
        #expect(await ana.run("peers").out.last == "  has acknowledged 0 of 2 erasures, and not yet \(open)")
        try await replicas.meet()
        peer = try await ana.run("peers", "--json").object()
        #expect(peer["erasures"] as? [Int] == stated && peer.lacks("erasuresToSend"))
        #expect(await ana.run("peers").out.last == "  has acknowledged all 2 erasures")
        // The eraser holds its own statements.
        #expect((try await ben.run("peers", "--json").object()["erasures"] as? [Int])?.count == 2)
        try await replicas.expectEqual()
    }

    @Test("Without any peer there is an empty list")
    func none() async throws {
        let tool = try await Tool.withStore()
        #expect(await tool.run("peers", "--json").out.isEmpty)
        #expect(await tool.run("peers").out.first?.hasPrefix("No peers yet: 'tripstore sync PEER") == true)
        #expect(try await tool.run("status", "--json").object()["peers"] as? [String] == [])
        // The frontier of an empty store.
        #expect(await tool.run("status", "--frontier").out == [""])
    }

    @Test("A replica is called otherwise on this device, until that is taken back")
    func renaming() async throws {
        let replicas = try await Replicas()
        _ = try await replicas.trip(named: "Lisbon")
        let ben = try await replicas.ben.replica()
        #expect(await replicas.ana.run("peers", "--rename", String(ben.prefix(6)), "--as", "Ben's old one").code == 0)
        #expect(try await replicas.ana.run("peers", "--json").object()["name"] as? String == "Ben's old one")
        #expect(await replicas.ana.run("status").out.joined().contains("Ben's old one"))
        #expect(await replicas.ana.run("audit", "log", "--replica", "Ben's old one").code == 0)
        #expect(await replicas.ana.run("peers", "--rename", "Ben's old one", "--as", "").code == 0)
        #expect(try await replicas.ana.run("peers", "--json").object()["name"] as? String == "ben's laptop")
        #expect(await replicas.ana.run("peers", "--rename", ben).code == 64)
    }

    @Test("A replica is forgotten, and known again once it is met")
    func forgetting() async throws {
        let replicas = try await Replicas()
        _ = try await replicas.trip(named: "Lisbon")
        let ben = try await replicas.ben.replica()
        let forgot = try await replicas.ana.run("peers", "--forget", ben, "--json").object()
        #expect(forgot["forgotten"] as? String == ben)
        #expect(await replicas.ana.run("peers", "--json").out.isEmpty)
        let again = await replicas.ana.run("peers", "--forget", ben)
        #expect(again.code == 2 && again.error.contains(ben))
        try await replicas.meet()
        #expect(await replicas.ana.run("peers").out.count == 1)
        #expect(await replicas.ana.run("peers", "--forget", ben).out == ["Forgot replica \(ben)"])
    }
}
