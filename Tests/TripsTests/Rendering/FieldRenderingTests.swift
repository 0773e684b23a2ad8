import Events
import Testing

@testable import Trips

@Suite("Fields as people and programs read them")
struct FieldRenderingTests {
    @Test(
        "A known value has its name, its text and its JSON",
        arguments: [
            (.trip, 1, Array("Lisbon".utf8), FieldRendering(name: "name", text: "Lisbon", value: .string("Lisbon"))),
            (.trip, 4, .signed(20_939), .init(name: "startDate", text: "2027-05-01", value: .string("2027-05-01"))),
            (.trip, 6, [1], .init(name: "isProtected", text: "yes", value: .bool(true))),
            (.activity, 6, [2], .init(name: "paid", text: "inFull", value: .string("inFull"))),
            (.activity, 6, [9], .init(name: "paid", text: "9", value: .string("9"))),
            (.lodging, 7, [0x78], .init(name: "reservation", text: "x", value: .string("x"))),
            (.transportation, 7, [0x78], .init(name: "confirmation", text: "x", value: .string("x"))),
            (.transportation, 13, [1], .init(name: "mode", text: "train", value: .string("train"))),
            (
                .lodging, 5, Money(minorUnits: 310, "EUR").encodedValue ?? [],
                .init(
                    name: "cost", text: "3.10 EUR",
                    value: .object(["currency": .string("EUR"), "minor": .integer(310)]))
            ),
            (
                .organization, 1, [0x4C, 0xFF],
                .init(name: "name", text: "L\u{FFFD}", value: .string("L\u{FFFD}"))
            ),
        ] as [(EntityKind, UInt64, [UInt8], FieldRendering)])
    func known(kind: EntityKind, field: UInt64, bytes: [UInt8], expected: FieldRendering) {
        #expect(FieldRendering(kind: kind, field: field, value: bytes) == expected)
    }

    @Test("A cleared field has its name and no value; no bytes of a known field are the same")
    func cleared() {
        let expected = FieldRendering(name: "notes", text: "", value: .null)
        #expect(FieldRendering(kind: .trip, field: 3, value: nil) == expected)
        #expect(FieldRendering(kind: .trip, field: 3, value: []) == expected)
        #expect(
            FieldRendering(kind: .trip, field: 42, value: nil)
                == FieldRendering(name: "field 42", text: "", value: .null))
    }

    @Test(
        "What this version cannot read is shown as its bytes",
        arguments: [
            (.trip, 4, "startDate"), (.activity, 2, "trip"), (.activity, 13, "field 13"), (.trip, 42, "field 42"),
            (EntityKind(rawValue: 99), 1, "field 1"),
        ] as [(EntityKind, UInt64, String)])
    func unreadable(kind: EntityKind, field: UInt64, name: String) {
        let rendering = FieldRendering(kind: kind, field: field, value: [0xFF, 0x8A])
        #expect(rendering.name == name)
        #expect(rendering.text == "0xff8a")
        #expect(rendering.value == .object(["base64": .string("/4o=")]))
    }

    @Test("No bytes in a field that is not known are a value of its own, and no clearing")
    func unknownAndEmpty() {
        #expect(
            FieldRendering(kind: .trip, field: 42, value: [])
                == FieldRendering(name: "field 42", text: "0x", value: .object(["base64": .string("")])))
    }
}
