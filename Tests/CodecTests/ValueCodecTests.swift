import Events
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import Trips

/// The messages of trips.proto: generated code against our own.
@Suite("Values and swift-protobuf")
struct ValueCodecTests {
    private static func money(_ generator: inout SeededGenerator) -> Money {
        Money(minorUnits: Int64(bitPattern: generator.magnitude()), Currency(unchecked: generator.text(3)))
    }

    private static func moment(_ generator: inout SeededGenerator) -> Moment {
        Moment(milliseconds: Int64(bitPattern: generator.magnitude()), zone: generator.text())
    }

    private static func address(_ generator: inout SeededGenerator) -> Address {
        let numbers = [0, -0.0, 1.5, -180, .leastNonzeroMagnitude, .infinity]
        return Address(
            street: generator.text(), city: generator.text(), state: generator.text(), country: generator.text(),
            postalCode: generator.text(),
            coordinates: generator.optional { generator in
                Coordinates(
                    latitude: numbers[Int(generator.number(0...5))], longitude: numbers[Int(generator.number(0...5))])
            }, formatted: generator.text())
    }

    /// Compares one value with the message that it is.
    private func expectAgreement<Value: FieldValue, Message: SwiftProtobuf.Message & Equatable>(
        _ value: Value, _ message: Message, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let ours = value.encodedValue ?? []
        let theirs: [UInt8] = try message.serializedBytes()
        #expect(ours == theirs, sourceLocation: sourceLocation)
        #expect(try Message(serializedBytes: ours) == message, sourceLocation: sourceLocation)
        // A value without bytes is a cleared field.
        #expect(Value.decoded(theirs) == (theirs.isEmpty ? nil : value), sourceLocation: sourceLocation)
    }

    @Test("Both write the same bytes for a value, and read them to the same parts", arguments: Seeds.some(200))
    func valuesAgree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (money, moment) = (Self.money(&generator), Self.moment(&generator))
        let address = Self.address(&generator)
        try expectAgreement(money, Trips_Money(money))
        try expectAgreement(moment, Trips_Moment(moment))
        try expectAgreement(address, Trips_Address(address))
    }

    @Test("Parts of a value that we do not know stay when we write it again", arguments: Seeds.some(50))
    func unknownPartsSurvive(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let old = Self.address(&generator)
        var message = Trips_Address(old)
        message.coordinates.addUnknownFields(&generator)
        message.addUnknownFields(&generator)

        var address = try #require(Address.decoded(try message.serializedBytes()))
        address.city = "Porto"
        address.coordinates?.latitude = 41.15
        let written = try Trips_Address(serializedBytes: address.encodedValue ?? [])
        #expect(written.city == "Porto")
        #expect(written.coordinates.latitude == 41.15)
        #expect(!written.unknownFields.data.isEmpty)
        #expect(written.unknownFields == message.unknownFields)
        #expect(written.coordinates.unknownFields == message.coordinates.unknownFields)
        #expect(written.street == old.street)
    }

    @Test("A new value keeps the parts that we do not know", arguments: Seeds.some(50))
    func unknownPartsAreTakenOver(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (money, moment) = (Trips_Money(Self.money(&generator)), Trips_Moment(Self.moment(&generator)))
        money.addUnknownFields(&generator)
        moment.addUnknownFields(&generator)
        let newMoney = Money(minorUnits: 5, "EUR")
        let newMoment = Moment(milliseconds: 6, zone: "UTC")
        let moneyBytes = Money.keepingUnknownParts(
            of: try money.serializedBytes(), in: try #require(newMoney.encodedValue))
        let momentBytes = Moment.keepingUnknownParts(
            of: try moment.serializedBytes(), in: try #require(newMoment.encodedValue))
        let (readMoney, readMoment) = (
            try Trips_Money(serializedBytes: moneyBytes), try Trips_Moment(serializedBytes: momentBytes)
        )
        #expect((readMoney.minor, readMoney.currency) == (5, "EUR"))
        #expect(readMoney.unknownFields == money.unknownFields)
        #expect((readMoment.milliseconds, readMoment.zone) == (6, "UTC"))
        #expect(readMoment.unknownFields == moment.unknownFields)
    }
}
