import Events
import Foundation
import TripStore
import TripStoreTestSupport

/// The content of a hostile writer's commit: edits of others' entities, with claims that no honest replica would make.
struct HostilePayload {
    private var payload: Payload
    /// Unknown bits: the commit counts as one without events.
    private(set) var features: UInt64 = 0
    /// Bytes behind the events that make the payload malformed as a whole.
    private var garbage: [UInt8] = []
    /// Whether the list of seen replicas is left out: then references name nothing.
    private var dropsSeenReplicas = false

    /// Draws one. `hashes` are those of commits that it may claim to undo.
    init(_ known: [EntityReference], undoing hash: Digest?, _ random: inout SeededRandom) {
        var draw = HostileEvents(known: known, random: random)
        payload = Payload(
            author: ["ana", "ben", "eve", ""][draw.number(0...3)], events: draw.events(), held: draw.held())
        if let hash, draw.number(0...5) == 0 { payload.causation = Self.mark(hash, redo: draw.number(0...1) == 0) }
        switch draw.number(0...15) {
        case 0: features = 1 << UInt64(draw.number(0...31))
        case 1: garbage = [0x7B, 0x80]
        case 2, 3: dropsSeenReplicas = true
        default: break
        }
        random = draw.random
    }

    /// Whether no reader can read it, unless it is the first of a line.
    var isMalformed: Bool { !garbage.isEmpty }

    /// One edit of one field.
    init(_ entity: EntityReference, field: UInt64, _ value: [UInt8]?) {
        payload = Payload(
            author: "eve",
            events: [
                Event(verb: .edited, entity: entity, changes: [Change(path: FieldPath(field: field), value: value)])
            ])
    }

    /// The bytes; with an introduction they are well-formed, for without it no signature could be checked.
    func bytes(introducing key: HostileKey?) -> [UInt8] {
        var payload = payload
        if let key { payload.introduction = Payload.Introduction(publicKey: key.publicKey, name: "eve's") }
        let encoded = payload.encoded()
        let bytes = dropsSeenReplicas ? Self.without(field: 6, encoded) : encoded
        return key == nil ? bytes + garbage : bytes
    }

    /// The causation of a commit that undoes another, or redoes it, as in the log's format.
    private static func mark(_ hash: Digest, redo: Bool) -> UUID {
        let hash = hash.bytes
        let bytes = Array((redo ? "redo" : "undo").utf8) + hash[0..<2] + [0x80, hash[2], 0x80] + hash[3..<10]
        return bytes.withUnsafeBytes { $0.uuid() }
    }

    private static func without(field number: UInt32, _ message: [UInt8]) -> [UInt8] {
        message.withUnsafeBytes { bytes in
            var kept: [UInt8] = []
            var reader = WireReader(bytes)
            var start = 0
            while let field = try? reader.next(), (try? reader.skip(field)) != nil {
                if field.number != number { kept += Array(bytes.part(start..<reader.offset)) }
                start = reader.offset
            }
            return kept
        }
    }
}
