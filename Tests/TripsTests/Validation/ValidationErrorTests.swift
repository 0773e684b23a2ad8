import Events
import Testing

@testable import Trips

@Suite("Errors of validation")
struct ValidationErrorTests {
    private static let reference = Samples.trip.reference

    @Test("The description says which entity and which field, then what was wrong")
    func descriptions() {
        func error(_ entity: EntityReference?, _ field: String?) -> String {
            ValidationError(.tooLong, "Too long. Shorten it.", entity: entity, field: field).description
        }
        let id = Samples.uuidText
        #expect(error(Self.reference, "notes") == "trip \(id), notes: Too long. Shorten it.")
        #expect(error(Self.reference, nil) == "trip \(id): Too long. Shorten it.")
        #expect(error(nil, "notes") == "notes: Too long. Shorten it.")
        #expect(error(nil, nil) == "Too long. Shorten it.")
        let unknown = EntityReference(kind: EntityKind(rawValue: 99), id: Samples.uuid)
        #expect(error(unknown, nil) == "kind 99 \(id): Too long. Shorten it.")
    }

    @Test("The raw value of a code stays, whatever its case is called")
    func codes() {
        #expect(ValidationError.Code.emptyName.rawValue == "emptyName")
        #expect(ValidationError.Code.missingParent.rawValue == "missingTrip")
    }

    @Test("A refusal names its entity and field in what one reads")
    func refusals() throws {
        let error = #expect(throws: ValidationError.self) {
            try Transportation(
                id: Identifier(Samples.uuid), name: "x", mode: .car, in: .new(),
                confirmation: String(repeating: "x", count: 1 << 20 + 1)
            ).validate()
        }
        #expect(try #require(error).description.hasPrefix("transportation \(Samples.uuidText), confirmation: The text"))
    }
}
