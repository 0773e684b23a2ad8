import Events
import Foundation
import Testing

@testable import Trips

@Suite("Rules of trips and organizations")
struct TripRulesTests {
    @Test(
        "A name needs one visible character",
        arguments: ["", " ", "\n\t", "\u{A0}", "\u{3000}", "\u{200B}", "\u{FEFF}", "\0", "\u{2060} \u{AD}"])
    func emptyNames(name: String) throws {
        for entity in [Trip(name: name), Organization(name: name), Activity(name: name, in: .new())]
            as [any TripEntity]
        {
            let error = expectRefusal(
                .emptyName, naming: "\"\(name)\"", advising: "Give it at least one visible character"
            ) { try entity.validate() }
            #expect(error?.field == "name")
            #expect(error?.entity == entity.reference)
        }
    }

    @Test("One visible character is enough", arguments: ["x", " x ", ".", "0", "🏝️", "\u{200B}x", "é", "日"])
    func names(name: String) throws {
        try Trip(name: name).validate()
        try Organization(name: name).validate()
        try Lodging(name: name, in: .new()).validate()
    }

    @Test("Text may have 1 MiB and not a byte more")
    func longTexts() throws {
        let longest = String(repeating: "x", count: 1 << 20)
        for path in [\Trip.name, \.destination, \.notes] {
            var trip = Trip(name: "Lisbon")
            trip[keyPath: path] = longest
            try trip.validate()
            trip[keyPath: path] += "x"
            expectRefusal(.tooLong, naming: "1048577", "1048576", advising: "Shorten it") { try trip.validate() }
        }
        let texts: [WritableKeyPath<Organization, String>] = [\.name, \.phone, \.email, \.website, \.logoURL]
        for path in texts {
            var organization = Organization(name: "CP")
            organization[keyPath: path] = longest
            try organization.validate()
            organization[keyPath: path] += "x"
            expectRefusal(.tooLong, naming: "1048577", advising: "Shorten it") { try organization.validate() }
        }
    }

    @Test("Text is measured in bytes of UTF-8")
    func bytes() throws {
        try Trip(name: String(repeating: "é", count: 1 << 19)).validate()
        expectRefusal(.tooLong, naming: "1048578", advising: "Shorten it") {
            try Trip(name: String(repeating: "é", count: 1 << 19 + 1)).validate()
        }
    }

    @Test("A trip ends no earlier than it starts")
    func order() throws {
        let (first, last) = (Day(2027, 5, 1), Day(2027, 5, 8))
        try Trip(name: "x", startDay: first, endDay: last).validate()
        try Trip(name: "x", startDay: first, endDay: first).validate()
        try Trip(name: "x", startDay: last, endDay: nil).validate()
        try Trip(name: "x", startDay: nil, endDay: first).validate()
        let wrong = Trip(name: "x", startDay: last, endDay: first)
        for (property, name) in [(\Trip.startDay, "startDate"), (\Trip.endDay, "endDate")] {
            let error = expectRefusal(
                .endBeforeStart, naming: "end 2027-05-01", "start 2027-05-08", advising: "Move one of them"
            ) { try wrong.validate(changing: [property]) }
            #expect(error?.field == name)
        }
        // With both, it is said of the first.
        let error = expectRefusal(.endBeforeStart, advising: "Move one of them") { try wrong.validate() }
        #expect(error?.field == "startDate")
    }

    @Test("An original creation is in the years 1 to 9999")
    func originalCreation() throws {
        func trip(_ milliseconds: Int64) -> Trip {
            Trip(name: "x", originalCreation: Date(milliseconds: milliseconds))
        }
        let range = Moment.representable
        for milliseconds in [range.lowerBound, 0, range.upperBound] { try trip(milliseconds).validate() }
        for milliseconds in [range.lowerBound - 1, range.upperBound + 1, .max, .min] {
            let error = expectRefusal(
                .dateOutOfRange, naming: "\(milliseconds) ms", advising: "Check its unit and its sign"
            ) { try trip(milliseconds).validate() }
            #expect(error?.field == "originalCreation")
        }
    }

    @Test("Only rules of what changes are checked, so that what is odd elsewhere stays editable")
    func onlyWhatChanges() throws {
        let odd = Trip(name: "", startDay: Day(2027, 5, 8), endDay: Day(2027, 5, 1))
        try odd.validate(changing: [])
        try odd.validate(changing: [\.destination, \.notes, \.isProtected, \.originalCreation])
        #expect(throws: ValidationError.self) { try odd.validate(changing: [\.notes, \.name]) }
        let organization = Organization(name: "", address: Address(coordinates: .init(latitude: 91, longitude: 0)))
        try organization.validate(changing: [\.phone])
        #expect(throws: ValidationError.self) { try organization.validate(changing: [\.address]) }
    }

    @Test("Of several errors the first is that of the first field")
    func firstError() throws {
        let odd = Trip(
            name: "", startDay: Day(2027, 5, 8), endDay: Day(2027, 5, 1), originalCreation: .init(milliseconds: .max))
        for _ in 0..<20 {
            #expect(throws: ValidationError.self) { try odd.validate() }
            let error = #expect(throws: ValidationError.self) { try odd.validate(changing: Trip.schema.properties) }
            #expect(error?.field == "name")
            let later = #expect(throws: ValidationError.self) {
                try odd.validate(changing: [\.originalCreation, \.endDay])
            }
            #expect(later?.field == "endDate")
        }
    }

    @Test("An organization's place is on the globe")
    func places() {
        let error = expectRefusal(.invalidCoordinates, naming: "-90.5", "12.25", advising: "Use -90 to 90") {
            try Organization(name: "CP", address: Address(coordinates: .init(latitude: -90.5, longitude: 12.25)))
                .validate()
        }
        #expect(error?.field == "address")
    }
}
