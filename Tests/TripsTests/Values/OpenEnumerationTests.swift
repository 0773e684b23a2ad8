import Foundation
import Testing

@testable import Trips

@Suite("Choices that may grow")
struct OpenEnumerationTests {
    @Test(
        "How much is paid has a name for each number",
        arguments: [(PaidStatus.none, "none", 0), (.deposit, "deposit", 1), (.inFull, "inFull", 2)]
            as [(PaidStatus, String, UInt32)])
    func paid(status: PaidStatus, name: String, number: UInt32) throws { try expect(status, name, number) }

    @Test(
        "Each status of an entity has its name and its number",
        arguments: [(ProcessingStatus.ready, "ready", 0), (.processing, "processing", 1), (.failed, "failed", 2)]
            as [(ProcessingStatus, String, UInt32)])
    func processing(status: ProcessingStatus, name: String, number: UInt32) throws { try expect(status, name, number) }

    @Test(
        "A mode of transportation has a name for each number",
        arguments: [
            (.other, "other", 0), (.train, "train", 1), (.plane, "plane", 2), (.boat, "boat", 3), (.car, "car", 4),
            (.bicycle, "bicycle", 5), (.walking, "walking", 6),
        ] as [(TransportationMode, String, UInt32)])
    func modes(mode: TransportationMode, name: String, number: UInt32) throws { try expect(mode, name, number) }

    private func expect<Choice: OpenEnumeration & FieldValue>(
        _ choice: Choice, _ name: String, _ number: UInt32
    ) throws {
        #expect(choice.rawValue == number)
        #expect(choice.description == name)
        #expect(choice.text == name)
        #expect(choice.json == .string(name))
        #expect(Choice(name) == choice)
        #expect(Choice(String(number)) == choice)
        #expect(Choice.known.contains { $0.value == choice && $0.name == name })
        #expect(choice.encodedValue == (number == 0 ? nil : [UInt8(number)]))
        #expect(String(decoding: try JSONEncoder().encode([choice]), as: UTF8.self) == "[\"\(name)\"]")
        #expect(try JSONDecoder().decode([Choice].self, from: Data("[\"\(name)\"]".utf8)) == [choice])
    }

    @Test("The default is known first, and every name and number is there once")
    func known() {
        #expect(PaidStatus.known.first?.value == PaidStatus.none && PaidStatus.none.rawValue == 0)
        #expect(TransportationMode.known.first?.value == .other && TransportationMode.other.rawValue == 0)
        #expect(PaidStatus.clearedJSON == .string("none"))
        #expect(TransportationMode.clearedJSON == .string("other"))
        #expect(Set(TransportationMode.known.map(\.name)).count == TransportationMode.known.count)
        #expect(Set(TransportationMode.known.map(\.value)).count == TransportationMode.known.count)
    }

    @Test(
        "A number that this version does not know survives text, JSON and bytes", arguments: [3, 77, 300, UInt32.max])
    func unknown(number: UInt32) throws {
        let status = PaidStatus(rawValue: number)
        #expect(status.description == String(number))
        #expect(PaidStatus(status.description)?.rawValue == number)
        let json = try JSONEncoder().encode([status])
        #expect(try JSONDecoder().decode([PaidStatus].self, from: json) == [status])
        let bytes = try #require(status.encodedValue)
        #expect(bytes == .varint(UInt64(number)))
        #expect(PaidStatus.decoded(bytes)?.rawValue == number)
    }

    @Test("A number beyond 32 bits is malformed, and so is what follows a number")
    func malformed() {
        #expect(PaidStatus.decoded(.varint(1 << 32)) == nil)
        #expect(PaidStatus.decoded(.varint(.max)) == nil)
        #expect(PaidStatus.decoded([1, 1]) == nil)
        #expect(PaidStatus.decoded([0x80]) == nil)
    }

    @Test(
        "What is neither a name nor a number is none of them",
        arguments: ["", "Deposit", "IN_FULL", "train", "-1", "1.0", "4294967296", " 1"])
    func otherText(text: String) throws {
        #expect(PaidStatus(text) == nil)
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([PaidStatus].self, from: Data("[\"\(text)\"]".utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.debugDescription.contains("\(text) is none of none, deposit, inFull"))
    }
}
