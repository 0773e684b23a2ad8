import EventLog
import Events
import Foundation
import LogExchange
import StoreSupport
import Testing

/// What a peer refuses of one author, and what it stores of the rest.
@Suite("Refused segments")
struct RefusedSegmentsTests {
    static let hour: Int64 = 3_600_000

    @Test(
        "Commits from the future, however many, block no other replica's",
        arguments: [Carrier.inProcess, .folder, .messages], [1, 60_000])
    func implausible(_ carrier: Carrier, size: Int) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        one.clock.advance(by: 20 * Self.hour)
        // Some come before the refused line, and some after it.
        var others = try (0..<5).map { try TestReplica("\($0)", journal: one.log.journal, over: carrier) }
        others.sort { $0.id < $1.id }
        let ahead = others.remove(at: 2)
        ahead.clock.advance(by: 40 * Self.hour)
        try await ahead.write(100, bytes: size)
        let future = try ahead.hashes()
        for other in others { try await other.write(2, bytes: size) }
        for writer in others + [ahead] { try await one.exchange(with: LogPeer(writer.log)) }

        let error = await failure { try await one.exchange(with: carrier.peer(two, for: one)) }
        #expect("\(try #require(error))".contains("hours ahead of this machine's"), "\(String(describing: error))")
        let held = Set(try two.hashes())
        for other in others { #expect(try held.isSuperset(of: other.hashes())) }
        #expect(held.isDisjoint(with: future))

        // Once its time is plausible, it is accepted.
        two.clock.advance(by: 20 * Self.hour)
        let report = try await one.exchange(with: carrier.peer(two, for: one))
        #expect(report.sent.commits == future.count)
        try await expectEqual([one, two])
    }

    @Test("What is sent in vain is one batch, and not the whole line")
    func inVain() async throws {
        let (one, two) = try twoReplicas()
        one.clock.advance(by: 20 * Self.hour)
        let ahead = try TestReplica("ahead", journal: one.log.journal)
        ahead.clock.advance(by: 40 * Self.hour)
        try await ahead.write(100, bytes: 60_000)
        try await one.exchange(with: LogPeer(ahead.log))
        let peer = CountingPeer(LogPeer(two.log))
        _ = await failure { try await one.exchange(with: peer) }
        #expect(peer.calls.filter { $0 == "store" }.count == 1)
    }
}
