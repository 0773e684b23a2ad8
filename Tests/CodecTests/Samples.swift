import Events
import Foundation

@testable import EventLog
@testable import Trips

/// One message of each sort in which every field has a value, and the text that protoc gives for it.
enum Samples {
    static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    private static let idText = #""\001\002\003\004\005\006\007\010\t\n\013\014\r\016\017\020""#

    static let header = CommitHeader(
        journal: JournalID(id), replica: ReplicaID(publicKey: []), sequence: SequenceNumber(300),
        timestamp: Timestamp(milliseconds: 1_798_761_600_000, counter: 7), wallClock: -5, schema: 2,
        payloadHash: Digest.zero)

    // The replica is the start of the SHA-256 of nothing: e3b0c44298fc1c149afbf4c8996fb924.
    static let headerText = """
        format: 1
        journal: \(idText)
        replica: "\\343\\260\\304B\\230\\374\\034\\024\\232\\373\\364\\310\\231o\\271$"
        sequence: 300
        timestamp: 117883640217600007
        wall_clock: -5
        schema: 2
        payload_hash: "\(String(repeating: "\\000", count: 32))"

        """

    private static func seen(_ time: UInt64, by key: [UInt8] = []) -> Seen {
        Seen(timestamp: Timestamp(rawValue: time), replica: ReplicaID(publicKey: key))
    }

    static let payload = Payload(
        author: "Ana \"Ã\"", causation: id, correlation: id,
        events: [
            Event(
                verb: .deleted, entity: EntityReference(kind: EntityKind(rawValue: 65535), id: id),
                changes: [
                    Change(path: FieldPath(field: 1, key: [9, 255]), value: Array("x".utf8), seen: seen(4, by: [9])),
                    Change(path: FieldPath(field: FieldPath.highestField), value: []),
                    Change(path: FieldPath(field: 3), value: nil),
                ], seen: seen(5), original: Timestamp(rawValue: 6)),
            Event(verb: Verb(rawValue: 77), entity: EntityReference(kind: EntityKind(rawValue: 1), id: id)),
        ],
        introduction: Payload.Introduction(
            publicKey: [UInt8](repeating: 0x41, count: 32), name: "phone", previous: ReplicaID(publicKey: []),
            reason: "a copy"), appendID: AppendID(id),
        held: VersionVector([ReplicaID(publicKey: [9]): Timestamp(rawValue: 0x4847_4645_4443_4241)]))

    static let payloadText = """
        author: "Ana \\"\\303\\203\\""
        causation: \(idText)
        correlation: \(idText)
        append_id: \(idText)
        introduction {
          public_key: "\(String(repeating: "A", count: 32))"
          name: "phone"
          previous: "\\343\\260\\304B\\230\\374\\034\\024\\232\\373\\364\\310\\231o\\271$"
          reason: "a copy"
        }
        seen_replicas: "\\343\\260\\304B\\230\\374\\034\\024\\232\\373\\364\\310\\231o\\271$"
        seen_replicas: "+L4/T3\\353\\345\\221\\241\\332w\\340\\023\\321\\267"
        newest_held: "\\000\\000\\000\\000\\000\\000\\000\\000ABCDEFGH"
        events {
          verb: 3
          kind: 65535
          id: \(idText)
          changes {
            field: 1
            key: "\\t\\377"
            value: "x"
            seen: 4
            seen_replica: 1
          }
          changes {
            field: 72057594037927935
            value: ""
          }
          changes {
            field: 3
          }
          seen: 5
          original: 6
        }
        events {
          verb: 77
          kind: 1
          id: \(idText)
        }

        """

    static let commitText = """
        header: "h"
        salt: "0123456789abcdef"
        payload: "p"

        """

    static let address = Address(
        street: "Rua A", city: "Porto", state: "P", country: "PT", postalCode: "4000",
        coordinates: Coordinates(latitude: 41.15, longitude: 0), formatted: "Rua A, Porto")

    static let addressText = """
        street: "Rua A"
        city: "Porto"
        state: "P"
        country: "PT"
        postal_code: "4000"
        coordinates {
          latitude: 41.15
        }
        formatted: "Rua A, Porto"

        """

    static let link = Link("https://example.org", title: "Menu")
    static let linkText = "url: \"https://example.org\"\ntitle: \"Menu\"\n"
    static let contact = Contact(name: "Ana", phone: "2", email: "a@b.c", role: "guide")
    static let contactText = "name: \"Ana\"\nphone: \"2\"\nemail: \"a@b.c\"\nrole: \"guide\"\n"
    static let money = Money(minorUnits: -1234, "EUR")
    static let moneyText = "minor: -1234\ncurrency: \"EUR\"\n"
    static let moment = Moment(milliseconds: -1, zone: "Europe/Lisbon")
    static let momentText = "milliseconds: -1\nzone: \"Europe/Lisbon\"\n"
}
