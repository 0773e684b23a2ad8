import Foundation
import TestSupport
import Testing

/// The layers of storage, journal and views serve any schema: their code, comments and errors name no kind of the records above them, no
/// role of a program in a network, and no command of the tool.
@Suite("Words of storage, journal and views")
struct LayerWordsTests {
    /// A text that bytes or published names fix.
    struct Exception: CustomTestStringConvertible {
        let text: String
        let reason: String

        var testDescription: String { text }
    }

    private static let folders = [
        "Sources/CCompression", "Sources/CLMDB", "Sources/CPlatform", "Sources/Platform", "Sources/LMDBFormat",
        "Sources/LMDB",
        "Sources/Events", "Sources/EventLog", "Sources/LogExchange", "Projections/ProjectionEngine",
    ]

    private static let exceptions =
        [
            "TripStore line signature v1", "TripStore erasure v1", "TripStore invitation v1", "TripStore handover v1",
            "TripStore invitation key v1", "TripStore journal v1", "TripStore session client v1",
            "TripStore session server v1", "TripStore session ticket v1", "TripStore load v1",
        ].map { Exception(text: "\"\($0)", reason: "a domain tag in what is hashed or signed") } + [
            Exception(text: "\"TRIP1\"", reason: "the first letters of every invitation's code"),
            Exception(text: "\"TRIP2\"", reason: "the first letters of every invitation's code that names a server"),
            Exception(text: "\"tripstore replica key v1\"", reason: "the first line of every replica's key file"),
            Exception(text: "\"tripstore dump\"", reason: "the format that the first line of every dump names"),
            Exception(text: "\\\"tripstore dump\\\"", reason: "the same line in an error about a file without it"),
            Exception(text: "package tripstore", reason: "the package of the messages in the published specifications"),
            Exception(text: "tripstore.exchange.", reason: "the package of messages that another specification uses"),
            Exception(text: "\"TripStore.replicas\"", reason: "the folder of replicas' records on Apple platforms"),
            Exception(text: "/tripstore", reason: "the folder of replicas' records elsewhere"),
            Exception(
                text: "\".tripstore-\"", reason: "the first letters of unfinished files, by which left ones are removed"
            ),
            Exception(
                text: "\"tripstore-past-",
                reason: "the first letters of folders of past views, by which left ones are removed"),
            Exception(
                text: "\"tripstore.",
                reason: "published labels of metrics and loggers, and names of threads beside them"),
            Exception(
                text: "tripstore_", reason: "C symbols, which share one space of names with all that a program links"),
            Exception(text: "TRIPSTORE_", reason: "guards of C headers, which share one space of names as well"),
            Exception(text: "removeItem(at", reason: "a function of Foundation's"),
            Exception(text: "attributesOfItem(atPath", reason: "a function of Foundation's"),
            Exception(text: "ofItemAtPath", reason: "a parameter of Foundation's"),
        ]

    private static let words = "trips?|items?|activity|activities|lodgings?|transportations?|hubs?|tripstore"
    /// A word by itself or as a part of a name, and an option of a command.
    private static let pattern =
        "(?<![A-Za-z])(?i:\(words))(?![a-z])|(?<=[a-z])(Trip|Item|Activit|Lodging|Transportation|Hub)|(?<![-!<])--[a-z]"

    @Test("The layers below the records name no kind of record, no hub and no command")
    func words() throws {
        let files = try Self.files()
        #expect(files.count > 300)
        for (path, text) in files {
            let rest = Self.exceptions.reduce(text) { $0.replacing($1.text, with: "") }
            guard let found = rest.range(of: Self.pattern, options: .regularExpression) else { continue }
            let line = rest[rest.lineRange(for: found)].trimmingCharacters(in: .whitespacesAndNewlines)
            Issue.record("\(path): \(line)")
        }
    }

    @Test("Each exception is still needed", arguments: exceptions)
    func exceptionsAreNeeded(exception: Exception) throws {
        #expect(try Self.files().contains { $0.text.contains(exception.text) }, "\(exception.reason)")
    }

    private static func files() throws -> [(path: String, text: String)] {
        try folders.flatMap { folder in
            let root = SourceFile.path(folder)
            return try FileManager.default.subpathsOfDirectory(atPath: root)
                .filter { path in [".swift", ".proto", ".c", ".h", ".modulemap"].contains { path.hasSuffix($0) } }
                .map { ("\(folder)/\($0)", try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8)) }
        }
    }
}
