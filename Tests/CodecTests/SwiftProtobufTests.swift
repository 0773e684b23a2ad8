import Events
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import EventLog
@testable import Trips

/// Generated code against our reader and writer.
@Suite("swift-protobuf with the specifications")
struct SwiftProtobufTests {
    @Test("It reads a payload that we wrote, field by field", arguments: Seeds.some(200))
    func readsOurPayloads(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let payload = Payload.any(&generator)
        let theirs = try Tripstore_Payload(serializedBytes: payload.encoded())
        #expect(Payload(theirs) == payload)
        #expect(theirs == Tripstore_Payload(payload))
    }

    @Test("We read a payload that it wrote, and write the same bytes", arguments: Seeds.some(200))
    func weReadTheirPayloads(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let payload = Payload.any(&generator)
        let bytes: [UInt8] = try Tripstore_Payload(payload).serializedBytes()
        #expect(try bytes.withUnsafeBytes { try PayloadView($0).copy() } == payload)
        #expect(bytes == payload.encoded())
    }

    @Test("It reads a commit that we wrote, and we one that it wrote", arguments: Seeds.some(100))
    func commitsAgree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let payload = Payload.any(&generator)
        let salt = [UInt8](generator.digest().bytes.prefix(16))
        let hash = salt.withUnsafeBytes { salt in
            payload.encoded().withUnsafeBytes { PayloadHash.of($0, salt: salt) }
        }
        let header = CommitHeader.random(&generator, payloadHash: hash)
        let theirHeader = try Tripstore_Header(serializedBytes: header.encoded())
        #expect(theirHeader == Tripstore_Header(header))

        var commit = Tripstore_Commit()
        commit.header = try theirHeader.serializedData()
        commit.salt = Data(salt)
        commit.payload = try Tripstore_Payload(payload).serializedData()
        let bytes: [UInt8] = try commit.serializedBytes()
        try bytes.withUnsafeBytes { bytes in
            let view = try CommitView(bytes)
            #expect(view.header == header)
            #expect(view.payloadMatches)
            #expect(try view.payload?.copy() == payload)
        }
    }

    @Test("Messages with fields that we do not know read as without them", arguments: Seeds.some(50))
    func unknownFieldsArePassedOver(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let payload = Payload.any(&generator)
        var theirs = Tripstore_Payload(payload)
        for index in theirs.events.indices {
            for change in theirs.events[index].changes.indices {
                theirs.events[index].changes[change].addUnknownFields(&generator)
            }
            theirs.events[index].addUnknownFields(&generator)
        }
        theirs.addUnknownFields(&generator)
        let bytes: [UInt8] = try theirs.serializedBytes()
        #expect(bytes.count > payload.encoded().count)
        #expect(try bytes.withUnsafeBytes { try PayloadView($0).copy() } == payload)

        let header = CommitHeader.random(&generator, payloadHash: generator.digest())
        var theirHeader = Tripstore_Header(header)
        theirHeader.addUnknownFields(&generator)
        let headerBytes: [UInt8] = try theirHeader.serializedBytes()
        #expect(try headerBytes.withUnsafeBytes { try CommitHeader($0) } == header)
    }

    @Test("An introduction that comes in two parts is merged, as everywhere in protobuf")
    func introductionsAreMerged() throws {
        let key = [UInt8](repeating: 7, count: 32)
        let parts = [
            Payload(introduction: .init(publicKey: key, name: "old")).encoded(),
            try Tripstore_Payload.with { $0.introduction.name = "new" }.serializedBytes(),
        ].flatMap { $0 }
        let ours = try parts.withUnsafeBytes { try PayloadView($0).copy() }
        #expect(ours == Payload(introduction: .init(publicKey: key, name: "new")))
        #expect(Payload(try Tripstore_Payload(serializedBytes: parts)) == ours)
    }
}
