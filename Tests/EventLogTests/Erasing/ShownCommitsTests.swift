import Events
import StoreSupport
import Testing

@testable import EventLog

@Suite("Copies of commits without what is hidden")
struct ShownCommitsTests {
    @Test("However many commits are read, copies of a few are held, and the newest is among them", arguments: [0, 10])
    func bounded(kept: Int) async throws {
        let signed = try await SignedErasures()
        let log = signed.logs[1]
        try await signed.logs[0].erase([signed.commit: .events(1, 5)])
        for segment in try await signed.logs[0].allSegments() { try await log.store(segment) }
        try log.read { log in
            let position = try #require(try log.position(of: signed.commit, in: log.journal()))
            let view = try #require(try log.storedCommit(at: position)).view
            let fate = try #require(try log.fate(of: signed.commit))
            let expected = view.without(.events(1, 5))
            let shown = ShownCommits(keeping: kept * expected.count)
            for number in 1...100 {
                let copy = try #require(try shown.shown(view, at: Position(UInt64(number)), fate))
                #expect([UInt8](copy.bytes) == expected)
                #expect(shown.size == min(number, max(kept, 1)) * expected.count)
                // It is not made twice.
                let again = try #require(try shown.shown(view, at: Position(UInt64(number)), fate))
                #expect(again.bytes.baseAddress == copy.bytes.baseAddress)
            }
            if kept > 1 {
                let size = shown.size
                _ = try shown.shown(view, at: Position(99), fate)
                #expect(shown.size == size)
            }
        }
        try signed.expectIntact()
    }
}
