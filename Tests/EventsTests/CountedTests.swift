import Testing

@testable import Events

@Suite("Counts in words")
struct CountedTests {
    @Test(
        "One thing has its noun as it is, and none or several have its plural",
        arguments: [
            (0, "trip", "0 trips"), (1, "trip", "1 trip"), (649, "trip", "649 trips"), (2, "activity", "2 activities"),
            (3, "entry", "3 entries"), (2, "day", "2 days"), (2, "journey", "2 journeys"),
            (2, "address", "2 addresses"),
            (2, "index", "2 indexes"), (2, "branch", "2 branches"), (1, "entry", "1 entry"), (-1, "item", "-1 items"),
        ])
    func counting(number: Int, noun: String, words: String) { #expect(number.counted(noun) == words) }

    @Test("A plural that is no regular one is given")
    func irregular() {
        #expect(2.counted("trip or item", "trips or items") == "2 trips or items")
        #expect(UInt64(1).counted("trip or item", "trips or items") == "1 trip or item")
        #expect(1.agreeing("was", "were") == "was" && 0.agreeing("was", "were") == "were")
    }

    @Test(
        "The name of a field tells whether it is of several things",
        arguments: [
            ("parts", true), ("notes", true), ("address", false), ("status", false), ("category", false),
            ("links", true),
        ])
    func plural(name: String, isPlural: Bool) { #expect(name.isPlural == isPlural) }
}
