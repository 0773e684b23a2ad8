import Events
import Foundation
import Testing

@testable import Trips

@Suite("Values as JSON and other archives have them")
struct CodedValueTests {
    private static let place = Coordinates(latitude: 38.7, longitude: -9.1)
    private static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // In a list: a text alone is no document for all versions of Foundation.
        let text = String(decoding: try encoder.encode([value]), as: UTF8.self)
        return String(text.dropFirst().dropLast())
    }

    private static func decoded<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value? {
        try JSONDecoder().decode([Value].self, from: Data("[\(json)]".utf8)).first
    }

    /// A value, its JSON, and whether a value that is decoded from JSON is the same.
    struct Form: CustomTestStringConvertible {
        let json: String
        let encoded: @Sendable () throws -> String
        let isRestored: @Sendable () throws -> Bool

        init(_ value: some Codable & Equatable & Sendable, _ json: String) {
            self.json = json
            encoded = { try CodedValueTests.json(value) }
            isRestored = { try CodedValueTests.decoded(json) == value }
        }

        var testDescription: String { json }
    }

    static let forms: [Form] = [
        Form(Day(2027, 5, 1), #""2027-05-01""#), Form("EUR" as Currency, #""EUR""#),
        Form(Money(minorUnits: -12_50, "EUR"), #"{"currency":"EUR","minorUnits":-1250}"#),
        Form(
            Moment(milliseconds: 1_809_345_600_250, zone: "Europe/Lisbon"),
            #"{"milliseconds":1809345600250,"zone":"Europe/Lisbon"}"#),
        Form(place, #"{"latitude":38.7,"longitude":-9.1}"#), Form(Address(), "{}"),
        Form(
            Address(
                street: "S", city: "Lisboa", state: "X", country: "PT", postalCode: "1", coordinates: place,
                formatted: "S\nLisboa"),
            #"{"city":"Lisboa","coordinates":{"latitude":38.7,"longitude":-9.1},"country":"PT","formatted":"S\nLisboa","#
                + #""postalCode":"1","state":"X","street":"S"}"#),
        Form(
            EntityReference(kind: .trip, id: id), #"{"id":"01020304-0506-0708-090A-0B0C0D0E0F10","kind":"trip"}"#),
        Form(EntityReference(kind: .own, id: id), #"{"id":"01020304-0506-0708-090A-0B0C0D0E0F10","kind":"own"}"#),
        Form(
            EntityReference(kind: EntityKind(rawValue: 77), id: id),
            #"{"id":"01020304-0506-0708-090A-0B0C0D0E0F10","kind":"77"}"#),
    ]

    @Test("Each has one form, and comes back from it", arguments: forms)
    func restored(form: Form) throws {
        #expect(try form.encoded() == form.json)
        #expect(try form.isRestored())
    }

    @Test("Parts that this version does not know make another form, and come back")
    func unknown() throws {
        var (money, moment, address) = (Money("1", "EUR"), Moment(milliseconds: 5, zone: "UTC"), Address(city: "Faro"))
        money?.unknownFields = [0x18, 1]
        moment.unknownFields = [0x18, 2]
        address.unknownFields = [0x40, 3]
        address.coordinates = Self.place
        address.coordinates?.unknownFields = [0x18, 4]
        #expect(try Self.json(money) == #"{"currency":"EUR","minorUnits":100,"unknown":"GAE="}"#)
        #expect(try Self.decoded(try Self.json(money)) == money)
        #expect(try Self.decoded(try Self.json(moment)) == moment)
        #expect(try Self.decoded(try Self.json(address)) == address)
    }

    /// What a decoder says of a value.
    struct Mistake: CustomTestStringConvertible {
        let json: String
        let words: String
        let decode: @Sendable () throws -> Void

        init<Value: Codable & Sendable>(_ type: Value.Type, _ json: String, _ words: String) {
            (self.json, self.words) = (json, words)
            decode = { _ = try CodedValueTests.decoded(json, as: type) }
        }

        var testDescription: String { json }
    }

    static let mistakes: [Mistake] = [
        Mistake(Day.self, #""2027-02-30""#, "\"2027-02-30\" is no day of the calendar."),
        Mistake(Currency.self, #""XYZ""#, "XYZ"),
        Mistake(Money.self, #"{"currency":"XYZ","minorUnits":5}"#, "XYZ"),
        Mistake(Money.self, #"{"currency":"EUR"}"#, "minorUnits"),
        Mistake(Moment.self, #"{"milliseconds":5,"zone":"Nowhere"}"#, "Nowhere"),
        Mistake(
            Moment.self, #"{"milliseconds":900000000000000000,"zone":"UTC"}"#,
            "The instant 900000000000000000 ms since 1970 is not in the years 1 to 9999."),
        Mistake(
            Coordinates.self, #"{"latitude":91,"longitude":0}"#, "Latitude 91.0 and longitude 0.0 are no place."),
        Mistake(
            Address.self, #"{"coordinates":{"latitude":0,"longitude":181}}"#,
            "Latitude 0.0 and longitude 181.0 are no place."),
        Mistake(
            EntityReference.self, #"{"id":"01020304-0506-0708-090A-0B0C0D0E0F10","kind":"trips"}"#,
            "\"trips\" is no kind of entity. Write one of trip, activity, lodging, transportation, organization, own"),
        Mistake(EntityReference.self, #"{"id":"x","kind":"trip"}"#, "UUID"),
    ]

    @Test("What a write would refuse is not decoded, and the error says why", arguments: mistakes)
    func refused(mistake: Mistake) {
        let error = #expect(throws: DecodingError.self) { try mistake.decode() }
        #expect("\(error as Any)".contains(mistake.words), "\(error as Any)")
    }
}
