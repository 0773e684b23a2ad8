import Testing

@testable import Trips

@Suite("Addresses")
struct AddressTests {
    @Test("An address of nothing is empty, and any part makes it more than that")
    func emptiness() {
        #expect(Address().isEmpty)
        let parts = [
            Address(street: "x"), Address(city: "x"), Address(state: "x"), Address(country: "x"),
            Address(postalCode: "x"), Address(formatted: "x"),
            Address(coordinates: Coordinates(latitude: 0, longitude: 0)),
        ]
        for address in parts { #expect(!address.isEmpty, "\(address)") }
        var later = Address()
        later.unknownFields = UnknownParts.bytes
        #expect(!later.isEmpty)
        #expect(Set(parts + [later, Address()]).count == 9, "each part tells it from the others")
    }

    @Test(
        "Its text is the local form, in one line, otherwise its parts",
        arguments: [
            (Samples.address, "Rua A 1, 1000-001 Lisboa"),
            (Address(formatted: "A\r\nB\n\nC"), "A, B, C"),
            (Address(street: "Rua A 1", city: "Lisboa", country: "Portugal"), "Rua A 1, Lisboa, Portugal"),
            (
                Address(street: "S", city: "C", state: "T", country: "L", postalCode: "P"), "S, P, C, T, L"
            ),
            (
                Address(city: "C", coordinates: Coordinates(latitude: 38.5, longitude: -9.25)), "C, 38.5, -9.25"
            ),
            (Address(), ""),
        ])
    func text(address: Address, text: String) { #expect(address.text == text) }

    @Test("Its JSON has every part by name, and degrees only if there are any")
    func json() {
        let names = ["street", "city", "state", "country", "postalCode", "formatted"]
        #expect(Address().json == .object(Dictionary(uniqueKeysWithValues: names.map { ($0, .string("")) })))
        #expect(
            Samples.address.json
                == .object([
                    "street": .string("Rua A 1"), "city": .string("Lisboa"), "state": .string("LX"),
                    "country": .string("Portugal"), "postalCode": .string("1000-001"),
                    "formatted": .string("Rua A 1\n1000-001 Lisboa"), "latitude": .number(38.5),
                    "longitude": .number(-9.25),
                ]))
    }

    @Test("Every part comes back from its bytes, and an empty address has none")
    func bytes() throws {
        #expect(Address.decoded(try #require(Samples.address.encodedValue)) == Samples.address)
        #expect(Address().encodedValue == nil)
    }

    @Test("A new address takes over parts of the old one that are not known, also within its coordinates")
    func unknownParts() {
        var old = Samples.address
        old.unknownFields = UnknownParts.bytes
        old.coordinates?.unknownFields = UnknownParts.bytes("height")

        var new = Address(city: "Porto", coordinates: Coordinates(latitude: 41, longitude: -8))
        new.keepUnknownParts(of: old)
        #expect(new.unknownFields == UnknownParts.bytes)
        #expect(new.coordinates?.unknownFields == UnknownParts.bytes("height"))

        var placeless = Address(city: "Porto")
        placeless.keepUnknownParts(of: old)
        #expect(placeless.coordinates == nil)

        var own = Address(city: "Faro", coordinates: Coordinates(latitude: 37, longitude: -8))
        own.unknownFields = UnknownParts.bytes("own")
        own.coordinates?.unknownFields = UnknownParts.bytes("own height")
        own.keepUnknownParts(of: old)
        #expect(own.unknownFields == UnknownParts.bytes("own"))
        #expect(own.coordinates?.unknownFields == UnknownParts.bytes("own height"))
    }
}
