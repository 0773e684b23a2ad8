import Testing
import TripStore

@testable import TripFormats

@Suite("Items of other programs")
struct ForeignItemTests {
    @Test(
        "An item that is taken as one of another kind is on the same days, and never ends before it begins",
        arguments: [
            (ForeignItem.Kind.lodging, EntityKind.activity, 1, 1), (.lodging, .activity, 2, 1),
            (.lodging, .transportation, 4, 3), (.activity, .lodging, 1, 2), (.activity, .transportation, 3, 3),
        ])
    func days(kind: ForeignItem.Kind, other: EntityKind, last: Int, taken: Int) {
        var item = ForeignItem(kind, name: "Inn")
        (item.startDay, item.endDay) = (.some(Day(2027, 5, 1)), .some(Day(2027, 5, last)))
        let found = item.taken(as: other)
        #expect(found.kind.entityKind == other && found.startDay == item.startDay)
        #expect(found.endDay == .some(.some(Day(2027, 5, taken))))
    }
}
