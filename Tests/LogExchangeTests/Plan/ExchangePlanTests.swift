import EventLog
import LogExchange
import TestSupport
import Testing

/// What two replicas lack of each other, as far as their frontiers tell. `Lines` says how the tables are read.
@Suite("The plan of an exchange")
struct ExchangePlanTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let here: String
        let there: String
        let plan: String

        init(_ here: String, _ there: String, _ plan: String) {
            (self.here, self.there, self.plan) = (here, there, plan)
        }

        var testDescription: String { "\(here) | \(there)" }
    }

    private static func check(_ row: Row) {
        let (here, there) = (Lines(row.here), Lines(row.there))
        #expect(here.describe(here.plan(for: there), with: there) == row.plan)
    }

    @Test(
        "Without forks the one that is behind wants, and the one that is ahead offers",
        arguments: [
            Row("", "", ""),
            Row("a:123", "a:123", "a same"),
            Row("a:123", "", "a onlyHere, offers a:123"),
            Row("", "a:123", "a onlyThere, wants a:123"),
            Row("a:12345", "a:123", "a ahead, offers a:12345"),
            Row("a:123", "a:12345", "a behind, wants a:12345, perhaps a:123"),
            Row(
                "a:12 b:1 c:123", "b:12 c:123 d:1",
                "a onlyHere, b behind, c same, d onlyThere, wants b:12 d:1, offers a:12, perhaps b:1"),
            Row("a:12345 b:1", "a:123 b:12", "a ahead, b behind, wants b:12, offers a:12345, perhaps b:1"),
        ])
    func straightLines(row: Row) { Self.check(row) }

    @Test(
        "A fork shows as soon as a head under a known number is not held, and else as being behind",
        arguments: [
            Row("a:123xy", "a:12345", "a forked, wants a:12345, perhaps a:123xy"),
            Row("a:123x", "a:12345", "a behind, wants a:12345, perhaps a:123x"),
            Row("a:123xy", "a:1234", "a forked, wants a:1234, perhaps a:123xy"),
            Row("a:1", "a:x", "a forked, wants a:x, perhaps a:1"),
        ])
    func forksThatNobodyKnew(row: Row) { Self.check(row) }

    @Test(
        "Branches that one of them holds are offered or wanted like any line",
        arguments: [
            Row("a:12345 a:123xy", "a:12345 a:123xy", "a same"),
            Row("a:12345 a:123xy", "a:12345", "a ahead, offers a:123xy"),
            Row("a:12345 a:123xy", "a:123", "a ahead, offers a:12345 a:123xy"),
            Row("a:12345 a:123xy", "a:123x", "a ahead, offers a:12345 a:123xy"),
            Row("a:12345", "a:12345 a:123xy", "a forked, wants a:123xy"),
            Row("a:12345", "a:12345 a:123xyz", "a behind, wants a:123xyz"),
            Row("a:123", "a:12345 a:123xy", "a behind, wants a:12345 a:123xy, perhaps a:123"),
            Row("a:12345 a:12pq", "a:123xy a:12pqr", "a forked, wants a:123xy a:12pqr, perhaps a:12345 a:12pq"),
            Row(
                "a:12345 a:123xy b:1", "a:12345 a:1uv b:1x",
                "a forked, b behind, wants a:1uv b:1x, perhaps a:123xy b:1"),
        ])
    func knownBranches(row: Row) { Self.check(row) }

    @Test(
        "Numbers that cannot be true are wanted like others, and harm nothing",
        arguments: [
            Row("", "a:z@4611686018427387903", "a onlyThere, wants a:z@4611686018427387903"),
            Row(
                "a:123", "a:z@4611686018427387903",
                "a behind, wants a:z@4611686018427387903, perhaps a:123"),
            Row("a:z@4611686018427387903", "a:12", "a forked, wants a:12, perhaps a:z@4611686018427387903"),
            Row("a:123", "a:z@1", "a forked, wants a:z@1, perhaps a:123"),
            Row(
                "b:1", "a:y@4611686018427387903 a:z@4611686018427387903",
                "a onlyThere, b onlyHere, wants a:y@4611686018427387903 a:z@4611686018427387903, offers b:1"),
        ])
    func lyingNumbers(row: Row) { Self.check(row) }

    @Test("One plan can have every outcome")
    func allOutcomes() {
        let plan = Lines("a:1 b:1 c:1 d:12 f:1x").plan(for: Lines("a:1 c:12 d:1 f:12 g:1"))
        #expect(Set(plan.outcomes.map(\.outcome)) == Set(ExchangePlan.Outcome.allCases))
    }

    @Test("Plans with other outcomes are other plans, and a plan is done when nothing is left to do")
    func equality() {
        let (same, none) = (Lines("a:1").plan(for: Lines("a:1")), Lines().plan(for: Lines()))
        #expect(same != none && same.isDone && none.isDone)
        #expect(Set([same, same]).count == 1)
        #expect(!Lines("a:1").plan(for: Lines()).isDone)
    }

    @Test("An announced number of any size adds up to a count without overflow")
    func counts() {
        let absurd = (0..<8).map { "a:\($0)@4611686018427387903" }.joined(separator: " ")
        #expect(Lines(absurd).frontier.commitCount == .max)
        #expect(Lines("a:123 b:12").frontier.commitCount == 5)
    }
}
