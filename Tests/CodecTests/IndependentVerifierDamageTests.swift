import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

@Suite(
    "A verifier written from the document alone, and damage",
    .enabled(if: IndependentVerifier.isHere, IndependentVerifier.hint))
struct IndependentVerifierDamageTests {
    @Test("It takes the same bytes for malformed as we do", arguments: Seeds.some(3))
    func agreesOnMalformedBytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (input, expected): ([String], [String]) = ([], [])
        for _ in 0..<5 {
            let payload = Payload.any(&generator).encoded()
            let header = CommitHeader.random(&generator, payloadHash: generator.digest())
            for bytes in DamagedBytesTests.variations(of: payload, &generator) {
                input.append("payload \(bytes.hexadecimal)")
                expected.append(try DamagedBytesTests.countByEvents(bytes).map { "\($0)" } ?? "malformed")
            }
            let commit = DamagedBytesTests.commit(header, payload)
            for bytes in DamagedBytesTests.variations(of: commit, &generator) {
                input.append("commit \(bytes.hexadecimal)")
                expected.append(Self.judge(bytes))
            }
        }
        let output = try #require(
            try Program.run(
                "python3", ["-B", SourceFile.verifier, "--messages"], input: Array(input.joined(separator: "\n").utf8)))
        try #require(output.code == 0, "\(output.complaint)")
        let judged = output.text.split(separator: "\n").map(String.init)
        try #require(judged.count == expected.count)
        for (message, (theirs, ours)) in zip(input, zip(judged, expected)) where theirs != ours {
            Issue.record("\(theirs) and by us \(ours): \(message)")
        }
        #expect(Set(expected).count > 2, "all alike")
    }

    @Test("It splits payloads, also damaged ones, as we do, and reads the same of statements", arguments: Seeds.some(3))
    func agreesOnParts(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (input, expected): ([String], [String]) = ([], [])
        // Fields 15 that are no events, events with a long tag, and one behind bytes that are no fields.
        let event: [UInt8] = [15 << 3 | 2, 20] + generator.bytes(count: 20)
        let long: [UInt8] = [0xFA, 0x80, 0x00] + event.dropFirst()
        var payloads = [
            event + [0x78, 0x01] + event, event + [0x7D, 1, 2, 3, 4], long + event, event + [0x07] + event, [],
        ]
        payloads += DamagedBytesTests.variations(of: Payload.any(&generator).encoded(), &generator)
        for payload in payloads {
            input.append("leaves \(payload.hexadecimal)")
            expected.append(
                payload.withUnsafeBytes { bytes in
                    var leaves = PayloadLeaves(bytes)
                    var ends: [String] = []
                    while let end = leaves.next() { ends.append("\(end)") }
                    return ends.joined(separator: " ")
                })
        }
        for bytes in try Self.statements(&generator) {
            input.append("statement \(bytes.hexadecimal)")
            let statement = bytes.withUnsafeBytes { try? MembershipStatement($0) }
            expected.append(statement == nil ? "ignored" : "\((bytes.first ?? 0) >> 3)")
        }
        let output = try #require(
            try Program.run(
                "python3", ["-B", SourceFile.verifier, "--messages"], input: Array(input.joined(separator: "\n").utf8)))
        try #require(output.code == 0, "\(output.complaint)")
        let judged = output.text.split(separator: "\n").map(String.init)
        try #require(judged.count == expected.count)
        for (message, (theirs, ours)) in zip(input, zip(judged, expected)) where theirs != ours {
            Issue.record("\(theirs) and by us \(ours): \(message)")
        }
        #expect(expected.contains("ignored") && expected.contains("2"))
    }

    /// Statements of each kind and variations of them, and cuts with names that are short, numbered out of range, or too many.
    private static func statements(_ generator: inout SeededGenerator) throws -> [[UInt8]] {
        let name = { (replica: Int, sequence: UInt64, hash: Int) in
            var writer = WireWriter()
            writer.bytes(1, [UInt8](repeating: 1, count: replica))
            if sequence > 0 { writer.varint(2, sequence) }
            if hash > 0 { writer.bytes(3, [UInt8](repeating: 2, count: hash)) }
            return writer.finish()
        }
        func cut(_ names: [[UInt8]]) -> [UInt8] {
            var writer = WireWriter()
            writer.message(2) { writer in
                writer.bytes(1, [UInt8](repeating: 3, count: 16))
                for name in names { writer.bytes(2, name) }
            }
            return writer.finish()
        }
        let good = name(16, 1, 32)
        let many = (1...1025).map { name(16, UInt64($0), 32) }
        var found = [
            cut([good]), cut([good, name(16, 0, 32)]), cut([good, name(16, 1 << 63, 32)]), cut([good, name(16, 1, 0)]),
            cut([good, name(15, 1, 32)]), cut([good, name(16, 1, 31)]), cut([good, [0x0A]]), cut(many),
            cut(Array(many.dropLast())), cut(Array(many.dropLast()) + [good, name(16, 0, 32)]), cut([]),
        ]
        let replica = try #require(ReplicaID([UInt8](repeating: 9, count: 16)))
        let commit = CommitID(replica: replica, sequence: SequenceNumber(7), hash: generator.digest())
        let statements: [MembershipStatement] = [
            .grant(replica, .write, invitation: [UInt8](repeating: 8, count: 32)), .revocation(replica, cut: [commit]),
            .withdrawal([UInt8](repeating: 7, count: 32)), .void(commit, isVoid: true), .void(commit, isVoid: false),
        ]
        for statement in statements {
            found.append(statement.encoded())
            found += DamagedBytesTests.variations(of: statement.encoded(), &generator)
        }
        return found
    }

    /// The expected Python output for a commit: its number of events.
    private static func judge(_ commit: [UInt8]) -> String {
        commit.withUnsafeBytes { raw in
            guard let view = try? CommitView(raw) else { return "malformed" }
            var count = 0
            let stored = StoredCommit(position: Position(1), hash: view.header.payloadHash, view: view)
            return stored.forEachEvent { _, _ in count += 1 } ? "\(count)" : "malformed"
        }
    }

    /// An offset in the value of a row, and the expected effect of a flipped bit there.
    struct Flip: Sendable, CustomTestStringConvertible {
        let table: String
        let byte: Int
        let finding: String
        var testDescription: String { "byte \(byte) of a row of \(table)" }
    }

    @Test(
        "It names a flipped bit",
        arguments: [
            Flip(table: "log", byte: 5, finding: "another hash than that of the chain"),
            Flip(table: "log", byte: 90, finding: "another hash than that of the chain"),
            Flip(table: "log", byte: -1, finding: "another payload than the header's"),
            Flip(table: "log", byte: 124, finding: "another payload than the header's"),
            Flip(table: "signatures", byte: 40, finding: "the signature is not valid"),
            Flip(table: "heads", byte: 67, finding: "is not what its commits come to"),
            Flip(table: "runs", byte: 7, finding: "the rows are not the runs of the commits"),
        ])
    func findsFlippedBit(flip: Flip) async throws {
        let folder = TemporaryFolder()
        do {
            let log = try IndependentVerifier.openLog(folder, JournalID(UUID()), seed: 4)
            var generator = SeededGenerator(seed: 5)
            for _ in 0..<3 { _ = try await log.append(.random(&generator)) }
            try await log.signHead()
        }
        #expect(try IndependentVerifier.verify(folder.path("log")).last.hasPrefix("ok "))
        try Self.changeLastRow(of: flip.table, in: folder) { value in
            value[flip.byte < 0 ? value.count + flip.byte : flip.byte] ^= 1
        }
        let verdict = try IndependentVerifier.verify(folder.path("log"))
        #expect(verdict.code == 1)
        #expect(verdict.last.hasPrefix("not ok "))
        #expect(verdict.lines.contains { $0.hasSuffix(flip.finding) }, "\(verdict.lines)")
    }

    /// Changes the last row of a table, or one that many rows before it.
    private static func changeLastRow(
        of name: String, before count: Int = 0, in folder: TemporaryFolder, _ change: (inout [UInt8]) throws -> Void
    ) throws {
        let environment = try Environment.open(at: folder.path("log"))
        let table = try environment.tables(LogTableName.allCases.map(\.rawValue)).first { $0.name == name }
        try environment.write { transaction in
            var key: [UInt8] = []
            var value: [UInt8] = []
            do {
                var cursor = try transaction.reading.cursor(on: #require(table))
                var row = try #require(try cursor.last())
                for _ in 0..<count { row = try #require(try cursor.previous()) }
                (key, value) = ([UInt8](row.key), [UInt8](row.value))
            }
            try change(&value)
            try transaction.put(key, value, in: #require(table))
        }
    }

    /// What is left of a payload, the hashes of what is gone, and the salts of what is left.
    enum HoledPart: CaseIterable { case left, hashes, salts }

    @Test(
        "A fault in a commit of which a part was erased is one finding, by us and by it", arguments: HoledPart.allCases)
    func holedFault(part: HoledPart) async throws {
        let folder = TemporaryFolder()
        do {
            let log = try IndependentVerifier.openLog(folder, JournalID(UUID()), seed: 6)
            var generator = SeededGenerator(seed: 7)
            let events = [Event.random(&generator), Event.random(&generator)]
            let appended = try #require(try await log.append(Payload(author: "ana", events: events)))
            let id = CommitID(replica: log.replica, sequence: appended.sequence, hash: appended.hash)
            try await log.erase(.some(LeafSet(events: [0])), in: id)
            try await log.signHead()
        }
        #expect(try IndependentVerifier.verify(folder.path("log")).last.hasPrefix("ok "))
        // The last commit states the erasure.
        try Self.changeLastRow(of: "log", before: 1, in: folder) { value in
            let offset = try value.withUnsafeBytes { bytes in
                let view = try CommitView(bytes.part(from: Digest.size))
                guard case .holed(let payload) = view.content else { throw WireError("The commit has no hole.") }
                let parts: [HoledPart: UnsafeRawBufferPointer] = [
                    .left: payload.left, .hashes: payload.hashes, .salts: payload.salts,
                ]
                let start = try #require(parts[part]?.baseAddress)
                return try #require(bytes.baseAddress).distance(to: start)
            }
            value[offset] ^= 0x10
        }
        let report = try LogVerifier.verify(EnvironmentRows(at: folder.path("log")))
        #expect(report.findings.map(\.code) == ["payload"])
        let verdict = try IndependentVerifier.verify(folder.path("log"))
        #expect(verdict.lines.count == 1 && verdict.lines[0].hasSuffix("another payload than the header's"))
        #expect(verdict.code == 1)
    }
}
