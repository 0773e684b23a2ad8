import Events
import Foundation
import Testing

@testable import EventLog

@Suite("Statements about erasing")
struct ErasingStatementTests {
    private static func commit() throws -> CommitID {
        let replica = try #require(ReplicaID([UInt8](repeating: 7, count: 16)))
        return CommitID(replica: replica, sequence: SequenceNumber(9), hash: .zero)
    }

    private static func samples() throws -> [ErasingStatement] {
        let identity = try #require(ReplicaIdentity(seed: [UInt8](repeating: 5, count: 32)))
        let journal = try #require(JournalID("00112233-4455-6677-8899-aabbccddeeff"))
        let commit = try commit()
        let erasure = try Erasure(of: .events(1), in: commit, of: journal, at: 1, by: identity)
        let entities = (0..<2).map { _ in EntityReference(kind: EntityKind(rawValue: 1), id: UUID()) }
        let names = entities.map { ErasedName($0) } + [ErasedName(entities[0], field: 7)]
        return [
            .erasure(erasure), .erasure(erasure, naming: names), .takeBack(commit, .all),
            .takeBack(commit, .events(0, 2)), .period(days: 0), .period(days: 365),
            .erasure(erasure, naming: names, causes: [commit, erasure.commit]),
        ]
    }

    private static func read(_ bytes: [UInt8]) throws(WireError) -> ErasingStatement? {
        try bytes.withUnsafeBytes { raw in Result { () throws(WireError) in try ErasingStatement(raw) } }.get()
    }

    @Test("A statement is read as it was written")
    func roundTrip() throws {
        for statement in try Self.samples() { #expect(try Self.read(statement.encoded()) == statement) }
    }

    @Test("A statement with two fields, or an unknown one, or none, is none")
    func ignored() throws {
        let samples = try Self.samples().map { $0.encoded() }
        var unknown = WireWriter()
        unknown.bytes(9, [1])
        for bytes in [samples[0] + samples[4], unknown.finish(), []] { #expect(try Self.read(bytes) == nil) }
        // A take-back of no leaf takes nothing back.
        #expect(try Self.read(ErasingStatement.takeBack(Self.commit(), .none).encoded()) == nil)
    }

    @Test("An erasure with a cause that lacks a part is none: without it the erasure would stand by itself")
    func incompleteCause() throws {
        guard case .erasure(let erasure, _, _) = try #require(try Self.samples().first) else { return }
        for lacksReplica in [true, false] {
            var writer = WireWriter()
            writer.message(1) { message in
                message.bytes(1, erasure.bytes)
                message.message(4) { cause in
                    if !lacksReplica { cause.bytes(1, erasure.eraser.bytes) }
                    cause.varint(2, 9)
                    cause.bytes(3, Digest.zero.bytes)
                }
            }
            #expect((try Self.read(writer.finish()) == nil) == lacksReplica)
        }
    }

    @Test("Statements go with a payload, and beyond their bounds they say nothing")
    func bounds() throws {
        let story = try ErasingStory()
        let commit = try Self.commit()
        func facts(_ count: Int, features: UInt32 = CommitHeader.erasingFeature) -> Int {
            let payload = Payload(erasing: (0..<count).map { .takeBack(commit, .events($0 % 60)) })
            let header = CommitHeader(
                journal: story.story.journal, replica: story.ana.id, sequence: SequenceNumber(2),
                timestamp: Timestamp(milliseconds: 1), wallClock: nil, schema: 1, payloadHash: .zero, features: features
            )
            return payload.encoded().withUnsafeBytes {
                ErasingFact.all(in: header, .zero, PayloadView($0), arrival: 1).count
            }
        }
        #expect(facts(3) == 3 && facts(Payload.mostErasingStatements) == Payload.mostErasingStatements)
        #expect(facts(Payload.mostErasingStatements + 1) == 0)
        #expect(facts(3, features: CommitHeader.membershipFeature) == 0)
        #expect(facts(3, features: CommitHeader.membershipFeature | CommitHeader.erasingFeature) == 3)
    }

    @Test("An erasure that another replica signed, or that is not signed right, is not stated")
    func signatures() throws {
        let story = try ErasingStory()
        let right = try Erasure(
            of: .all, in: story.commit, of: story.story.journal, at: 1, by: story.ana.identity)
        let altered = try Erasure(right.bytes.dropLast() + [(right.bytes.last ?? 0) ^ 1])
        func facts(_ erasure: Erasure, by actor: Story.Actor) -> Int {
            let header = CommitHeader(
                journal: story.story.journal, replica: actor.id, sequence: SequenceNumber(2),
                timestamp: Timestamp(milliseconds: 1), wallClock: nil, schema: 1, payloadHash: .zero,
                features: CommitHeader.erasingFeature)
            return Payload(erasing: [.erasure(erasure, naming: [])]).encoded().withUnsafeBytes {
                ErasingFact.all(in: header, .zero, PayloadView($0), arrival: 1).count
            }
        }
        #expect(facts(right, by: story.ana) == 1 && facts(right, by: story.founder) == 0)
        #expect(facts(altered, by: story.ana) == 0)
    }

    @Test("The field of the statements with another wire type is skipped, as by versions that do not know it")
    func otherWireType() throws {
        var writer = WireWriter()
        writer.string(1, "ana")
        writer.varint(13, 5)
        let payload = try writer.finish().withUnsafeBytes { try PayloadView($0).copy() }
        #expect(payload.author == "ana" && payload.erasing == [])
    }
}
