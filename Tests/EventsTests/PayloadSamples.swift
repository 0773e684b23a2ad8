import Events
import Foundation
import TestSupport

enum PayloadSamples {
    static let replica = Histories.stamp(1, replica: 7).replica
    static let other = Histories.stamp(1, replica: 8).replica
    static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    static let payload = Payload(
        author: "ana", causation: id, correlation: id,
        events: [
            Event(
                verb: .created, entity: EntityReference(kind: EntityKind(rawValue: 1), id: id),
                changes: [
                    Change(path: FieldPath(field: 1), value: Array("Porto".utf8)),
                    Change(
                        path: FieldPath(field: 300, key: [0xAA]), value: nil,
                        seen: Seen(timestamp: Timestamp(milliseconds: 1, counter: 2), replica: replica)),
                ]),
            Event(
                verb: .deleted, entity: EntityReference(kind: EntityKind(rawValue: 2), id: id),
                seen: Seen(timestamp: Timestamp(rawValue: 3), replica: other),
                original: Timestamp(rawValue: 6)),
        ],
        introduction: Payload.Introduction(publicKey: [UInt8](repeating: 7, count: 32), name: "Phone"),
        held: VersionVector([replica: Timestamp(rawValue: 4), other: Timestamp(rawValue: 5)]))

    /// Events in the common encoding.
    static let plainPayload = Payload(
        author: "ana",
        events: (1...4).map { number in
            Event(
                verb: .edited, entity: EntityReference(kind: EntityKind(rawValue: 3), id: id),
                changes: [
                    Change(path: FieldPath(field: 1), value: [UInt8](repeating: 65, count: number * 60)),
                    Change(
                        path: FieldPath(field: 2), value: [1],
                        seen: Seen(timestamp: Timestamp(rawValue: 5), replica: replica)),
                    Change(path: FieldPath(field: 9), value: []), Change(path: FieldPath(field: 4), value: nil),
                ])
        })

    private static let uuid = "0102030405060708090a0b0c0d0e0f10"

    static let payloadBytes = [
        "0a03616e61",  // author
        "1210", uuid, "1a10", uuid,  // causation, correlation
        "2a29" + "0a20", String(repeating: "07", count: 32), "120550686f6e65",  // key and device
        "3210" + String(repeating: "07", count: 16),  // whose writes were seen: the first, which goes without saying
        "3210" + String(repeating: "08", count: 16),  // and the second
        "6210" + "0400000000000000" + "0500000000000000",  // up to when their commits were held
        "7a32",  // an event of 50 bytes
        "08011001" + "1a10", uuid,  // created, of kind 1
        "22090801" + "1a05506f72746f",  // field 1: Porto
        "220f08ac02" + "1201aa" + "290200010000000000",  // field 300, element aa: cleared, seen at 1 ms, 2
        "7a2a",  // an event of 42 bytes
        "08031002" + "1a10", uuid,  // deleted, of kind 2
        "290300000000000000" + "3001",  // the deletion that it saw, of the second replica
        "390600000000000000",  // which happened earlier
    ]
}

extension Payload {
    static func reading(_ bytes: [UInt8]) throws -> Payload {
        try bytes.withUnsafeBytes { bytes in try PayloadView(bytes).copy() }
    }
}

extension WireWriter {
    static func message(_ body: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter()
        body(&writer)
        return writer.bytes
    }
}
