import Foundation
import TestSupport
import Testing

/// How many files of the sources still say in a second way what a schema says, and how many lines a schema's layers have. A number of files
/// that falls is lowered here, and none is raised; for lines there is some room, for what a schema is still to say.
@Suite("Ratchets of one schema, one validation, one kind of row and one query")
struct SourceRatchetTests {
    /// A count of files that match a pattern.
    struct Ratchet: CustomTestStringConvertible {
        let words: String
        let pattern: String
        let most: Int

        var testDescription: String { words }
    }

    private static let ratchets = [
        Ratchet(words: "branch on .own", pattern: #"(==|!=) \.own\b|case \.own\b"#, most: 1),
        Ratchet(words: "ask isItem", pattern: #"\.isItem\b"#, most: 0),
        Ratchet(
            words: "have a mechanism of their own for fields",
            pattern: #"\b(RareFields|StoreLists?|StoreField|ItemFiling|TripFiling)\b"#, most: 0),
        Ratchet(
            words: "have a registry of the process",
            pattern: #"OwnFieldRegistry|DeclaredSchema\.shared|\bstatic (var|let) (own|ownKindCount|shared)\b.*Schema"#,
            most: 0),
        Ratchet(
            words: "describe the store's namespace by a rule of its own",
            pattern: "usesStoreNamespace|hasDescribedStoreKinds|describeStoreKinds", most: 0),
    ]

    @Test("No more files than before say by themselves what a schema says", arguments: ratchets)
    func files(ratchet: Ratchet) throws {
        let sources = try Self.sources(under: ["Sources", "Projections"])
        #expect(sources.count > 500)
        let found = sources.filter { $0.text.range(of: ratchet.pattern, options: .regularExpression) != nil }
        #expect(found.count <= ratchet.most, "these \(ratchet.words): \(found.map(\.path).sorted())")
    }

    /// `ItemCourse` and `ItemEnds`, in the folder of the agenda, alone decide on which days an item is by the clocks of its trip, and how many
    /// nights a stay has. The others turn moments into days for what is no item's course: groups by the day of a field, an event that another
    /// program moved, the nights that its text says, the days of a recorded track, the years of a zone's definition; and of an item without a
    /// trip its own clocks are all there is.
    @Test("No file but those that decide when items are counts with the days of their moments")
    func days() throws {
        let folders = [
            "Sources/Trips", "Sources/TripFormats", "Sources/TripStore", "Projections/TripProjections",
            "Tools/TripStoreCommands",
        ]
        let distance = #"\b(start|begins|first)(Day)?\??\.distance\(to: (end|last)"#
        let pattern = #"\.localDay\b|\bItemCourse\([\w.]+\)|"# + distance
        let found = try Self.sources(under: folders).filter {
            !($0.path.hasPrefix("Sources/Trips/") && $0.path.contains("/Agenda/"))
                && $0.text.range(of: pattern, options: .regularExpression) != nil
        }
        #expect(
            found.map(\.path).sorted() == [
                "Sources/TripFormats/Calendar/ItemTimes.swift", "Sources/TripFormats/Calendar/StayNights.swift",
                "Sources/TripFormats/Calendar/TripCalendar.swift", "Sources/TripFormats/Maps/MapContents.swift",
                "Sources/TripStore/Trips/Queries/TripQuerying+Agenda.swift",
                "Sources/Trips/Records/Queries/Groups/RecordQuery+Groups.swift",
            ])
    }

    @Test("Trips, TripStore and their views have hardly more lines than before")
    func lines() throws {
        let sources = try Self.sources(under: ["Sources/Trips", "Sources/TripStore", "Projections/TripProjections"])
        let count = sources.reduce(0) { $0 + $1.text.utf8.count { $0 == UInt8(ascii: "\n") } }
        #expect(1...38_600 ~= count)
    }

    private static func sources(under folders: [String]) throws -> [(path: String, text: String)] {
        try folders.flatMap { folder in
            let root = SourceFile.path(folder)
            return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
                .map { ("\(folder)/\($0)", try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8)) }
        }
    }
}
