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

    @Argument(help: ArgumentHelp("Of what; all without it.", discussion: EntityArgument.help))
    var owner: EntityArgument?

    @Option(name: .long, help: "The kind of the owner, if entities of several kinds have the id or the name.")
    var kind: EntityKind?

    func run() async throws {
        let store = try await options.openForReading()
        let owner = try owner.map { try store.entity($0, of: kind.map { [$0] } ?? EntityArgument.anyKind) }
        let all = try store.read { try $0.entities(AttachedFile.self) }
        let shown = all.filter { owner == nil || $0.owner == owner }
        if options.json {
            for attachment in shown { Console.current.out(AttachmentText(attachment, in: store).json().text) }
            return
        }
        if shown.isEmpty { Console.current.out("No attachments.") }
        let ids = ShortIDs.shown(shown.map { "\($0.id)" })
        let rows = try zip(shown, ids).map { attachment, id in
            [
                id, AttachmentText.size(attachment.size), AttachmentText(attachment, in: store).state,
                try attachment.owner.map { try store.name(of: $0) } ?? "", attachment.name,
            ]
        }
        for line in TextTable.lines(rows, cutting: [3, 4], dropping: [3]) { Console.current.out(line) }
    }
}
