import Testing

@testable import Trips

@Suite("Themes of fields")
struct FieldThemeTests {
    @Test(
        "A field has the theme that its values or searches tell, unless its help names another",
        arguments: [
            ("name", .what), ("start", .when), ("startDay", .when), ("cost", .money), ("paid", .money),
            ("payer", .money), ("address", .place), ("customLocationName", .place), ("organization", .people),
            ("participants", .people), ("status", .more),
        ] as [(String, FieldTheme)])
    func themes(name: String, theme: FieldTheme) throws {
        let field = try #require(Activity.fieldOutlines.first { $0.name == name })
        #expect(field.theme == theme && field.help != nil)
    }

    @Test("Every kind of items has the same fields that people give often, and no more than ten of them")
    func common() {
        let common = Set(Activity.fieldOutlines.filter { $0.help?.isCommon == true }.map(\.name))
        #expect(common.count <= 10)
        for outlines in [Lodging.fieldOutlines, Transportation.fieldOutlines] {
            #expect(common.isSubset(of: outlines.filter { $0.help?.isCommon == true }.map(\.name)))
        }
    }
}
