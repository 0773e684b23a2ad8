import Events
import Testing

@Suite("Nearest names")
struct NearestNameTests {
    @Test("Texts are as far apart as the characters that differ")
    func distance() {
        for (a, b, count) in [
            ("", "", 0), ("a", "", 1), ("show", "shwo", 2), ("kitten", "sitting", 3), ("log", "log", 0),
        ] {
            #expect(NearestName.distance(a, b) == count)
            #expect(NearestName.distance(b, a) == count)
        }
    }

    @Test("The nearest name is one that differs in few characters, and none if all differ in many")
    func nearest() {
        let names = ["name", "notes", "startDate"]
        #expect(NearestName.of("nmae", in: names) == "name" && NearestName.of("startDay", in: names) == "startDate")
        #expect(NearestName.of("xylophone", in: names) == nil && NearestName.of("name", in: []) == nil)
    }
}
