import Foundation
import Testing

@testable import TravelingSnails

@Suite("Attachments in an export")
struct AttachmentTests {
    private struct Found {
        var good: [(attachment: ExportedAttachment, bytes: [UInt8])] = []
        var problems: [ExportProblem] = []
    }

    private static func find(_ attachments: [Tree], chunk: Int = 256 * 1024) throws -> Found {
        let tree = Sample.whole.with("attachments", .list(attachments))
        let file = try TemporaryFile(tree.written().utf8)
        var found = Found()
        let problems = Box()
        try ExportFile(path: file.path, limits: ReaderLimits(chunk: chunk)).forEachAttachment(
            store: { next in
                var bytes: [UInt8] = []
                while let piece = try next() { bytes += piece }
                return bytes
            }, problem: { problems.list.append($0) }, body: { found.good.append(($0, $1)) })
        found.problems = problems.list
        return found
    }

    private final class Box { var list: [ExportProblem] = [] }

    fileprivate static func attachment(_ data: String, _ more: [(String, Tree)] = []) -> Tree {
        .object(
            [
                ("id", .text("00000000-0000-0000-0000-0000000000F1")), ("fileName", .text("F1.pdf")),
                ("originalFileName", .text("Boarding pass.pdf")), ("fileSize", .raw("5")),
                ("mimeType", .text("application/pdf")), ("fileExtension", .text("pdf")),
                ("createdDate", .text("2013-01-01T00:00:00Z")), ("fileDescription", .text("seat 4A")),
                ("parentType", .text("transportation")), ("parentId", .text(Sample.flightID)),
                ("fileData", .raw("\"\(data)\"")),
            ] + more)
    }

    @Test("have what the file says of them, and their bytes")
    func fields() throws {
        let found = try Self.find([Self.attachment("aGVsbG8=")])
        let (attachment, bytes) = try #require(found.good.first)
        #expect(found.problems == [])
        #expect(String(decoding: bytes, as: UTF8.self) == "hello")
        #expect(attachment.name == "Boarding pass.pdf" && attachment.caption == "seat 4A")
        #expect(attachment.mimeType == "application/pdf" && attachment.claimedSize == 5)
        #expect(attachment.parentKind == .transportation && attachment.parentID.uuidString == Sample.flightID)
        #expect(attachment.createdDate == Date(timeIntervalSince1970: 1_356_998_400))
    }

    @Test(
        "are decoded in whatever pieces they come, with slashes escaped and lines broken",
        arguments: 1...8 as ClosedRange<UInt64>)
    func pieces(seed: UInt64) throws {
        var generator = Seeded(seed)
        var expected: [[UInt8]] = []
        var attachments: [Tree] = []
        for size in [0, 1, 2, 3, 700, 49_152, 200_000] {
            let bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            expected.append(bytes)
            var text = Data(bytes).base64EncodedString()
            if Bool.random(using: &generator) { text = text.replacing("/", with: "\\/") }
            if Bool.random(using: &generator) { text = text.replacing("A", with: "\\u0041") }
            // As in mail.
            if Bool.random(using: &generator) { text = text.map { $0 == "B" ? "B\\r\\n" : "\($0)" }.joined() }
            attachments.append(Self.attachment(text).shuffled(using: &generator))
        }
        let chunk = Int.random(in: 32...5000, using: &generator)
        let found = try Self.find(attachments, chunk: chunk)
        #expect(found.problems == [] && found.good.map { $0.bytes } == expected, "seed \(seed), chunks of \(chunk)")
    }

    @Test(
        "whose data is no base64, or that lack something, are left out by name, and the next ones are there",
        arguments: [
            (AttachmentTests.attachment("aGVsbG8"), "left over"), (AttachmentTests.attachment("aGV$bG8="), "'$'"),
            (AttachmentTests.attachment("aG=sbG8="), "padding"),
            (AttachmentTests.attachment("aGk=aGk="), "padding"),
            (AttachmentTests.attachment("aGVsbG8=\\u00e9\\u00e9\\u00e9"), "byte"),
            (AttachmentTests.attachment("aGk=").with("parentType", .text("trip")), "parentType"),
            (AttachmentTests.attachment("aGk=").with("parentId", .raw("null")), "parentId"),
            (AttachmentTests.attachment("aGk=").with("id", .text("x")), "UUID"),
            (AttachmentTests.attachment("aGk=").with("fileData", .raw("5")), "fileData"),
            (AttachmentTests.attachment("aGk=").with("fileData", .raw("null")), "fileData"), (.raw("7"), "object"),
        ] as [(Tree, String)])
    func bad(tree: Tree, words: String) throws {
        let found = try Self.find([tree, Self.attachment("aGk=")])
        #expect(found.good.map { $0.bytes } == [Array("hi".utf8)])
        #expect(found.problems.count == 1 && found.problems[0].leftOut == [.attachment: 1])
        #expect("\(found.problems)".contains(words), "\(found.problems)")
        if case .object = tree { #expect("\(found.problems)".contains("Boarding pass.pdf")) }
    }

    @Test("are none where the file has none")
    func none() throws {
        for value in [Tree.list([]), .raw("null")] {
            let file = try TemporaryFile(Sample.whole.with("attachments", value).written().utf8)
            try ExportFile(path: file.path).forEachAttachment(
                store: { _ in 0 }, problem: { Issue.record("\($0)") }, body: { _, _ in Issue.record("there is one") })
        }
    }
}
