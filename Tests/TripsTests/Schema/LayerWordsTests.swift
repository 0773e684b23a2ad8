import Foundation
import TestSupport
import Testing

/// The layers of storage, journal, views and records serve any schema: their code, comments and errors name no kind of a domain, no role of a
/// program in a network, and no command of the tool.
@Suite("Words of storage, journal, views and records")
struct LayerWordsTests {
    /// A text that bytes or published names fix.
    struct Exception {
        let text: String
        let reason: String
    }

    /// Layers with what they may not name.
    struct House: CustomTestStringConvertible {
        let testDescription: String
        let folders: [String]
        let refused: String
        let exceptions: [Exception]
        let leastFiles: Int

        /// A word by itself or as a part of a name, and an option of a command.
        var pattern: String {
            "(?<![A-Za-z])(?i:\(refused))(?![a-z])|(?<=[a-z])(Trip|Item|Activit|Lodging|Transportation|Hub)"
                + "|(?<![-!<])--[a-z]"
        }

        func files() throws -> [(path: String, text: String)] {
            try folders.flatMap { folder in
                let root = SourceFile.path(folder)
                return try FileManager.default.subpathsOfDirectory(atPath: root)
                    .filter { path in [".swift", ".proto", ".c", ".h", ".modulemap"].contains { path.hasSuffix($0) } }
                    .map { ("\(folder)/\($0)", try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8)) }
            }
        }
    }

    private static let houses: [House] = [
        House(
            testDescription: "storage, journal and views", folders: folders, refused: refusedWords,
            exceptions: exceptions,
            leastFiles: 300),
        House(
            testDescription: "records",
            folders: ["Sources/Trips/Records", "Sources/TripStore/Records", "Projections/TripProjections/Records"],
            refused: refusedWords + "|organi[sz]ations?|travell?ers?", exceptions: exceptionsOfRecords, leastFiles: 250),
    ]

    private static let folders: [String] = [
        "Sources/CCompression", "Sources/CLMDB", "Sources/CPlatform", "Sources/Platform", "Sources/LMDBFormat",
        "Sources/LMDB", "Sources/LMDBLibrary",
        "Sources/Events", "Sources/EventLog", "Sources/LogExchange", "Projections/ProjectionEngine",
    ]

    private static let exceptions: [Exception] =
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

    /// In this order: each is taken out by itself, and one may begin another.
    private static let exceptionsOfRecords: [Exception] = [
        Exception(text: "TripStoreError", reason: "a published type, module or property"),
        Exception(text: "TripStoreProjections", reason: "a published type, module or property"),
        Exception(text: "TripStore", reason: "a published type, module or property"),
        Exception(text: "tripStore", reason: "a published type, module or property"),
        Exception(text: "TripEntity", reason: "a published type, module or property"),
        Exception(text: "TripEvent", reason: "a published type, module or property"),
        Exception(text: "TripViews", reason: "a published type, module or property"),
        Exception(text: "TripQuerying", reason: "a published type, module or property"),
        Exception(text: "import TripProjections", reason: "the name of a module"),
        Exception(text: "import Trips", reason: "the name of a product's module"),
        Exception(text: "\"tripstore.", reason: "published labels of loggers, and names of threads beside them"),
        Exception(text: "(label: \"tripstore\")", reason: "the published label of the logger"),
        Exception(text: "\"tripstore-", reason: "the first letters of temporary folders"),
        Exception(text: "\"tripstore clone v1\"", reason: "the first line of the file of an unfinished clone"),
        Exception(text: "\"made-by-tripstore-backup\"", reason: "the name of the file that marks a backup"),
        Exception(text: "\"trips\"", reason: "the name of the group of the built-in views, in notes of the log"),
        Exception(text: "\"hub/\"", reason: "the first letters of notes that a log keeps about servers"),
        Exception(text: "\"hub-certificate.pem\"", reason: "the name of a file in the folders of servers"),
        Exception(text: "\"hub-key.pem\"", reason: "the name of a file in the folders of servers"),
        Exception(text: "unfiledItem", reason: "a published code"),
        Exception(text: "duplicateTrip", reason: "a published code"),
        Exception(text: "farOutsideOfTrip", reason: "a published code"),
        Exception(text: "unknownTrip", reason: "a published code"),
        Exception(text: "missingTrip", reason: "a published code"),
        Exception(text: "removeItem(at", reason: "a function of Foundation's"),
        Exception(text: "attributesOfItem(atPath", reason: "a function of Foundation's"),
        Exception(text: "performExpiringActivity", reason: "a function of Foundation's"),
    ]

    private static let refusedWords: String =
        "trips?|items?|activity|activities|lodgings?|transportations?|hubs?|tripstore"

    @Test("No layer names a kind of a domain, a hub or a command", arguments: houses)
    func words(house: House) throws {
        let files = try house.files()
        #expect(files.count > house.leastFiles)
        for (path, text) in files {
            let rest = house.exceptions.reduce(text) { $0.replacing($1.text, with: "") }
            guard let found = rest.range(of: house.pattern, options: .regularExpression) else { continue }
            let line = rest[rest.lineRange(for: found)].trimmingCharacters(in: .whitespacesAndNewlines)
            Issue.record("\(path): \(line)")
        }
    }

    @Test("Each exception is still needed", arguments: houses)
    func exceptionsAreNeeded(house: House) throws {
        let files = try house.files()
        for exception in house.exceptions where !files.contains(where: { $0.text.contains(exception.text) }) {
            Issue.record("\(exception.text), \(exception.reason), is nowhere")
        }
    }
}
