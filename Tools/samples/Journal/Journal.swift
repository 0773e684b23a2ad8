import Foundation
import TripStore

/// A travel journal on a store that others share: what an app with fields of its own looks like.
///
///     journal VERSION FOLDER COMMAND TRIP [ARGUMENT…]
///
/// The commands are `add`, `rate STARS`, `label TEXT…`, `unlabel TEXT…`, `visit`, `show`, and in version 2 `stops PLACE…`,
/// `move FROM TO`, `pack THING`, `write DAY TEXT [TAG…]` and `entries`. Version 3 has `score POINTS` instead of `rate`.
@main
struct Journal {
    static let usage = "journal VERSION FOLDER COMMAND TRIP [ARGUMENT…]"

    static func main() async {
        do {
            let arguments = CommandLine.arguments
            guard arguments.count > 4, let version = Int(arguments[1]).flatMap(JournalVersion.init) else {
                throw JournalError(usage)
            }
            let store = try await TripStore.open(
                at: URL(fileURLWithPath: arguments[2]), options: .init(schema: version.schema))
            let journal = Journal(store: store, version: version, name: arguments[4])
            try await journal.run(arguments[3], Array(arguments[5...]))
            await store.close()
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    let store: TripStore
    let version: JournalVersion
    let name: String

    private func run(_ command: String, _ arguments: [String]) async throws {
        switch (command, version) {
        case ("add", _): try await store.create(Trip(name: name), by: "journal")
        case ("score", .third):
            guard let points = arguments.first.flatMap({ Int($0) }) else {
                throw JournalError("Give a number of points.")
            }
            try await edit { $0[Trip.score] = points }
        case ("rate", ...(.second)):
            guard let stars = arguments.first.flatMap({ Int($0) }) else {
                throw JournalError("Give a number of stars.")
            }
            try await edit { $0[Trip.rating] = stars }
        case ("label", _): try await edit { $0[Trip.labels].formUnion(arguments) }
        case ("unlabel", _): try await edit { $0[Trip.labels].subtract(arguments) }
        case ("visit", _): try await edit { $0[Trip.visits] += 1 }
        case ("stops", .second...): try await edit { $0[Trip.stops] += arguments }
        case ("move", .second...):
            let indexes = arguments.compactMap { Int($0) }
            try await edit { trip in
                guard indexes.count == 2, indexes.allSatisfy(trip[Trip.stops].indices.contains) else {
                    throw JournalError("Give the number of a stop and where it goes, from 0 on.")
                }
                trip[Trip.stops].insert(trip[Trip.stops].remove(at: indexes[0]), at: indexes[1])
            }
        case ("pack", .second...): try await edit { trip in for thing in arguments { trip[Trip.packed][thing] = true } }
        case ("write", .second...):
            guard arguments.count > 1, let day = Day(arguments[0]) else {
                throw JournalError("Give a day and a text.")
            }
            var entry = JournalEntry(arguments[1], of: try trip().id, on: day)
            entry[JournalEntry.tags] = Set(arguments[2...])
            try await store.create(entry, by: "journal")
        case ("entries", .second...):
            for entry in try store.entities(JournalEntry.self, in: trip().id) {
                let tags = entry[JournalEntry.tags].sorted().map { " #\($0)" }.joined()
                print("\(entry.day.map { "\($0)" } ?? "some day") \(entry.text)\(tags)")
            }
        case ("show", _): try show()
        default: throw JournalError("Version \(version.rawValue) has no command '\(command)'.")
        }
    }

    private func trip() throws -> Trip {
        let found = try store.read { try $0.entities(named: name) }.compactMap { Trip.ID($0) }
        guard let id = found.first, let trip = try store.trip(id) else {
            throw JournalError("There is no trip '\(name)'.")
        }
        return trip
    }

    private func edit(_ change: (inout Trip) throws -> Void) async throws {
        try await store.edit(try trip().id, by: "journal", change)
    }

    private func show() throws {
        let trip = try trip()
        if version >= .third {
            print("score \(trip[Trip.score].map { "\($0)" } ?? "none")")
        } else {
            print("rating \(trip[Trip.rating].map { "\($0)" } ?? "none")")
        }
        print("labels \(trip[Trip.labels].sorted().joined(separator: " "))")
        print("visits \(trip[Trip.visits])")
        guard version >= .second else { return }
        print("stops \(trip[Trip.stops].joined(separator: " "))")
        print("packed \(trip[Trip.packed].filter(\.value).keys.sorted().joined(separator: " "))")
    }
}

/// What is wrong with what was typed, in words.
struct JournalError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
