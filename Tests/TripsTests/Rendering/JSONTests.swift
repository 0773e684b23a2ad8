import Events
import Foundation
import Testing

@testable import Trips

@Suite("JSON")
struct JSONTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        let lines = String(decoding: try encoder.encode(value), as: UTF8.self).split(separator: "\n")
        return lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    }

    @Test(
        "A value encodes as itself",
        arguments: [
            (.null, "null"), (.bool(true), "true"), (.integer(.max), "9223372036854775807"),
            (.integer(.min), "-9223372036854775808"), (.number(1.5), "1.5"), (.string("a\"b"), #""a\"b""#),
            (.number(.nan), "null"), (.number(.infinity), "null"), (.number(-.infinity), "null"),
        ] as [(JSONValue, String)])
    func values(value: JSONValue, text: String) throws { #expect(try json([value]) == "[ \(text) ]") }

    @Test("Objects encode with all their members, nested ones too")
    func objects() throws {
        let value = JSONValue.object(["b": .object(["c": .null]), "a": .integer(1)])
        #expect(try json(value) == #"{ "a" : 1, "b" : { "c" : null } }"#)
        #expect(try json(JSONValue.object([:])) == "{ }")
    }

    @Test("A trip is an object of its id and all its fields, and of its times once it is stored")
    func trips() throws {
        #expect(
            try json(Samples.trip) == """
                { "archivedAt" : "1970-01-01T00:00:02.500Z", "color" : "#2A6F97", "cover" : "\(Samples.otherUUIDText)", \
                "destination" : "Lisboa", "endDate" : "2027-05-08", "id" : "\(Samples.uuidText)", \
                "isProtected" : true, "links" : [ ], "name" : "Lisbon", "notes" : "By train", \
                "originalCreation" : "1970-01-01T00:00:01.500Z", "own" : { }, "rank" : "\(Samples.trip.rank?.text ?? "")", \
                "stage" : "booked", "startDate" : "2027-05-01", \
                "status" : "processing" }
                """)
        let stored = Trip(id: Samples.trip.id, record: try Records.record(of: Samples.trip.reference, [:]))
        #expect(
            try json(stored) == """
                { "archivedAt" : null, "color" : "", "cover" : null, "createdAt" : "1970-01-01T00:00:01Z", "destination" : "", "endDate" : null, \
                "id" : "\(Samples.uuidText)", "isProtected" : false, "links" : [ ], "name" : "", "notes" : "", \
                "originalCreation" : null, "own" : { }, "rank" : null, "stage" : "planned", "startDate" : null, \
                "status" : "ready", "updatedAt" : "1970-01-01T00:00:01Z" }
                """)
    }

    @Test("An item has its money exactly, its moments with zone and instant, and its address in parts")
    func items() throws {
        #expect(
            try json(Samples.transportation) == """
                { "address" : { "city" : "Lisboa", "country" : "Portugal", \
                "formatted" : "Rua A 1\\n1000-001 Lisboa", "latitude" : 38.5, "longitude" : -9.25, \
                "postalCode" : "1000-001", "state" : "LX", "street" : "Rua A 1" }, \
                "arrivalAddress" : { "city" : "Porto", "country" : "", "formatted" : "", "postalCode" : "", "state" : "", \
                "street" : "" }, "arrivalCode" : "94-2006", "arrivalGate" : "6", "arrivalName" : "Porto Campanhã", \
                "arrivalTerminal" : "2", "carrier" : "CP", "category" : "transport", "confirmation" : "ABC", \
                "contacts" : [ ], "cost" : { "currency" : "EUR", "minor" : 310 }, "customLocationName" : "The stop", \
                "departureAddress" : { "city" : "Lisboa", "country" : "Portugal", \
                "formatted" : "Rua A 1\\n1000-001 Lisboa", "latitude" : 38.5, "longitude" : -9.25, \
                "postalCode" : "1000-001", "state" : "LX", "street" : "Rua A 1" }, "departureCode" : "94-30007", \
                "departureGate" : "4", "departureName" : "Lisboa Santa Apolónia", "departureTerminal" : "1", \
                "end" : { "milliseconds" : 1809169200000, "time" : "2027-05-01T13:00:00+02:00", \
                "zone" : "Europe/Madrid" }, "endDay" : "2027-05-02", "hidesLocation" : true, "id" : "\(Samples.uuidText)", \
                "links" : [ ], "mode" : "train", \
                "name" : "Tram 28", "notes" : "Left side", "number" : "AP 182", "organization" : "\(Samples.otherUUIDText)", "own" : { }, \
                "paid" : "deposit", "paidAmount" : { "currency" : "EUR", "minor" : 100 }, "seat" : "12A", \
                "stage" : "booked", "start" : { "milliseconds" : 1809160200000, \
                "time" : "2027-05-01T09:30:00+01:00", "zone" : "Europe/Lisbon" }, "startDay" : "2027-05-01", "status" : "failed", \
                "travelClass" : "2", "trip" : "\(Samples.otherUUIDText)" }
                """)
    }

    @Test("A blank item has the default of every field, and a mode only if it is a transportation")
    func blankItems() throws {
        guard case .object(let blank) = Activity(id: Activity.ID(Samples.uuid)).json,
            case .object(let flight) = Transportation(id: Transportation.ID(Samples.uuid)).json
        else {
            Issue.record("entities are objects")
            return
        }
        #expect(
            blank == [
                "id": .string(Samples.uuidText), "name": .string(""), "trip": .null, "start": .null, "end": .null,
                "cost": .null, "paid": .string("none"), "reservation": .string(""), "notes": .string(""),
                "customLocationName": .string(""), "hidesLocation": .bool(false), "address": .null,
                "organization": .null, "own": .object([:]), "status": .string("ready"), "startDay": .null,
                "endDay": .null, "stage": .string("planned"), "paidAmount": .null, "category": .string(""),
                "links": .array([]), "contacts": .array([]),
            ])
        #expect(flight["mode"] == .string("other"))
        #expect(flight["confirmation"] == .string("") && flight["reservation"] == nil)
    }

    @Test("Coordinates that are no number are null, so that the rest can be read")
    func notANumber() throws {
        let nowhere = Address(coordinates: Coordinates(latitude: .nan, longitude: 1))
        #expect(try json(nowhere.json).contains(#""latitude" : null, "longitude" : 1"#))
    }

    @Test("An organization has its address, or null")
    func organizations() {
        guard case .object(let members) = Organization(name: "CP").json else {
            Issue.record("entities are objects")
            return
        }
        #expect(members["address"] == .null && members["name"] == .string("CP") && members["logoURL"] == .string(""))
        #expect(members["links"] == .array([]) && members["contacts"] == .array([]))
        #expect(members.count == 10)
    }
}
