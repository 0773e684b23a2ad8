import Foundation
import TripStore

/// A reading list on two devices: a domain without trips, on the library alone.
///
///     reading-list FOLDER
///
/// Makes two stores in a new folder, and prints what happens.
@main
struct ReadingList {
    static func main() async {
        do {
            guard CommandLine.arguments.count == 2 else { throw CocoaError(.fileNoSuchFile) }
            try await run(in: URL(fileURLWithPath: CommandLine.arguments[1]))
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func show(_ words: String...) { print(words.joined(separator: " ")) }

    private static func run(in folder: URL) async throws {
        // begin AnotherDomain-opening
        let laptop = try await TripStore.open(
            at: folder.appendingPathComponent("laptop"),
            options: TripStore.Options(deviceName: "laptop", schema: readingList))
        // end

        // begin AnotherDomain-live
        let unread = Query<Book>().where { $0.rating == nil }.sorted(by: \.title)
        var updates = laptop.live(unread).makeAsyncIterator()
        // end
        show("unread:", "\(try await updates.next()?.rows.count ?? -1)")

        // begin AnotherDomain-writing
        let dune = try await laptop.create(Book("Dune", by: "Frank Herbert"), by: "ana")
        let note = try await laptop.create(Note("Spice is time.", in: dune, page: 12), by: "ana")
        // end
        show("unread:", try await updates.next()?.rows.map(\.title).joined(separator: ", ") ?? "")

        // begin AnotherDomain-syncing
        let phone = try await TripStore.clone(
            .folder(folder.appendingPathComponent("laptop")), to: folder.appendingPathComponent("phone"),
            options: TripStore.Options(deviceName: "phone", schema: readingList)
        ).store
        try await phone.edit(dune, by: "ben") {
            $0.rating = 5
            $0[Book.labels].insert("classic")
        }
        try await laptop.edit(dune, by: "ana") { $0[Book.labels].insert("desert") }
        try await laptop.edit(note, by: "ana") { $0.page = 13 }
        try await phone.exchange(with: .store(laptop))
        try await laptop.catchUp()
        // end
        show("unread:", "\(try await updates.next()?.rows.count ?? -1)")
        for store in [laptop, phone] {
            try await store.catchUp()
            let book = try store.entity(dune)
            let pages = try store.entities(Note.self, in: dune).map { "\($0.page ?? 0)" }
            show("\(book?.rating ?? 0)", book?[Book.labels].sorted().joined(separator: " ") ?? "", pages.joined())
        }

        // begin AnotherDomain-undo
        let deletion = try await laptop.delete(dune, by: "ana")
        let hidden = try laptop.entity(note) == nil
        try await laptop.undo(deletion, by: "ana")
        // end
        show("hidden:", "\(hidden)", "back:", "\(try laptop.entity(note) != nil)")

        // begin AnotherDomain-audit
        for entry in try laptop.history(of: dune) {
            show(entry.commit.author, entry.event.verb.name, entry.event.changes.map(\.field).joined(separator: " "))
        }
        let found = try laptop.search("herbert").map(\.name)
        let below = try laptop.search("spice", in: dune)  // in the book and its notes; a hit's root is the book
        // end
        show("found:", found.joined(separator: ", "), "below:", "\(below.map { $0.root == dune.reference })")
        await phone.close()
        await laptop.close()
    }
}
