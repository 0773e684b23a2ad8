import Events
import StoreSupport
import Testing

@testable import EventLog

/// A commit of eight events of which two logs lack bytes that nothing hides.
@Suite("Healing from copies that lack bytes as well")
struct HealingTests {
    /// The author's erasures explain what the logs lack, so that these copies are taken.
    private static func losing(
        _ one: ErasedLeaves, _ other: ErasedLeaves
    ) async throws -> (signed: SignedErasures, whole: [LineSegment]) {
        let signed = try await SignedErasures()
        let whole = try await signed.logs[0].allSegments()
        for (log, leaves) in zip(signed.logs, [one, other]) {
            try log.lose(leaves, of: signed.commit)
            #expect(try await log.keep([signed.erasure(leaves)]) == 1)
        }
        return (signed, whole)
    }

    @Test("Two copies that lack different bytes give each other what they have, and what both lack stays missing")
    func different() async throws {
        let signed = try await Self.losing(.events(0, 2, 5), .events(1, 2)).signed
        try await signed.logs[1].pass(to: signed.logs[0])
        #expect(try signed.logs[0].missing(of: signed.commit) == .events(2))
        #expect(try signed.logs[0].commit(signed.commit).indexedEvents.map(\.index) == [0, 1, 3, 4, 5, 6, 7])
        try await signed.logs[0].pass(to: signed.logs[1])
        #expect(try signed.logs[1].missing(of: signed.commit) == .events(2))
        try signed.expectIntact()
    }

    @Test("Two copies that have all bytes between them lack one part of them each, until a whole copy comes")
    func together() async throws {
        let (signed, whole) = try await Self.losing(.events(0, 5), .events(1))
        for _ in 0..<2 {
            try await signed.logs[1].pass(to: signed.logs[0])
            try await signed.logs[0].pass(to: signed.logs[1])
        }
        #expect(try signed.logs.map { try $0.missing(of: signed.commit) } == [.events(5), .events(1)])
        try signed.expectIntact()
        for log in signed.logs {
            for segment in whole { try await log.store(segment) }
            #expect(try log.missing(of: signed.commit) == nil && !log.read { try $0.hasErasures() })
        }
        try signed.expectIntact()
    }

    @Test("What is hidden and missing there, and hidden and held here, stays as it is, and other bytes come from there")
    func hidden() async throws {
        let signed = try await Self.losing(.events(0), .events(1, 2)).signed
        try await signed.logs[0].erase([signed.commit: .events(7)])
        try await signed.logs[0].pass(to: signed.logs[1])
        #expect(try signed.logs[0].missing(of: signed.commit) == .events(0, 7))
        #expect(try signed.logs[1].missing(of: signed.commit) == .events(2))
        #expect(try signed.logs[1].commit(signed.commit).erased == .events(2, 7))
        try await signed.logs[1].pass(to: signed.logs[0])
        #expect(try signed.logs[0].missing(of: signed.commit) == .events(7))
        try signed.expectIntact()
    }
}
