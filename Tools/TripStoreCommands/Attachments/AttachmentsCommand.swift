import ArgumentParser
import Foundation
import TripStore

struct AttachmentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attachments", abstract: "List attachments, and where their bytes are.",
        discussion: """
            Bytes are here, missing until an exchange brings them, or discarded for ever.

            Examples:
              tripstore attachments
              tripstore attachments 'Tram 28'
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "Of what; all without it. \(EntityArgument.help)")
    var owner: EntityArgument?

    @OptionGroup var scope: TripScope

    @Option(name: .long, help: "The kind of the owner, if entities of several kinds have the id or the name.")
    var kind: EntityKind?

    func run() async throws {
        let store = try await options.openForReading()
        let trip = try scope.id(in: store)
        let owner =
            try owner.map { try store.entity($0, of: kind.map { [$0] } ?? EntityArgument.anyKind, in: trip) }
            ?? trip?.reference
        var (rows, ids, isEmpty, fault): ([[String]], [UUID], Bool, String?) = ([], [], true, nil)
        // Thumbnails are not held: of many attachments they are large.
        try forEach(of: owner, in: store) { attachment in
            isEmpty = false
            let text = AttachmentText(attachment, in: store)
            fault = fault ?? text.fault
            if options.json { return Console.current.out(text.json().text) }
            ids.append(attachment.reference.id)
            rows.append([
                AttachmentText.size(attachment.size), text.state,
                try attachment.owner.map { try store.name(of: $0) } ?? "", attachment.name,
            ])
        }
        if isEmpty && !options.json { Console.current.out("No attachments.") }
        let table = TextTable(cutting: [3, 4], dropping: [3], naming: 4) { $1 == 0 ? .id : nil }
        Console.current.show(table.lines(zip(try ShortIDs.shown(ids, in: store), rows).map { [$0] + $1 }))
        if let fault { throw CommandError(fault, code: "unreadable") }
    }

    private func forEach(
        of owner: EntityReference?, in store: TripStore, _ body: (AttachedFile) throws -> Void
    ) throws {
        if let owner {
            let files = try store.read { views in
                try views.ownEntities(in: owner).compactMap { AttachedFile.ID($0.reference) }
            }
            for file in try files.compactMap({ try store.entity($0) }) { try body(file) }
            return
        }
        var next: PageCursor?
        repeat {
            let page = try store.read { try $0.fetch(Query<AttachedFile>().limit(200), after: next) }
            for file in page.rows { try body(file) }
            next = page.next
        } while next != nil
    }
}
