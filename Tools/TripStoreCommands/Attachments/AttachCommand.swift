import ArgumentParser
import Foundation
import LogExchange
import Platform
import TripStore

struct AttachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach", abstract: "Attach files to a trip, an item or anything else.",
        discussion: """
            The bytes are copied beside the log, once for each content, and a commit says what they are: other replicas get both. The \
            files themselves stay where they are. Several are attached by one commit, all or none.

            Examples:
              tripstore attach 'Tram 28' ticket.pdf
              tripstore attach Lisbon map.png --name 'Map of Alfama'
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "What to attach to. \(EntityArgument.help)")
    var owner: EntityArgument

    @OptionGroup var scope: TripScope

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @Option(name: .long, help: "What people call the attachment; otherwise the file's name.")
    var name: String?

    @Option(name: .long, help: "What it is, in words.")
    var caption = ""

    @Option(name: .long, help: "Its media type, as application/pdf; otherwise by the ending of its name.")
    var type: String?

    @Option(name: .long, help: "The kind of the owner, if entities of several kinds have the id or the name.")
    var kind: EntityKind?

    func validate() throws {
        guard name == nil || files.count == 1 else {
            throw ArgumentParser.ValidationError("--name is for one file, and here are \(files.count).")
        }
    }

    func run() async throws {
        try await withStore(options) { store in
            let owner = try store.entity(
                owner, of: kind.map { [$0] } ?? EntityArgument.anyKind, in: scope.id(in: store))
            for id in try await watched(store, { try await attach(to: owner, in: store) }) {
                guard let attachment = try store.entity(id) else { continue }
                Console.current.out(
                    options.json
                        ? AttachmentText(attachment, in: store).json().text
                        : "Attached \(attachment.name) (\(AttachmentText.size(attachment.size))) as \(id)")
            }
        }
    }

    /// Does work, and shows how much of the files is stored meanwhile.
    private func watched<T>(_ store: TripStore, _ body: () async throws -> T) async throws -> T {
        let folder = store.contentFolder
        let total = files.reduce(0) { $0 + (FileVersion(path: ($1 as NSString).expandingTildeInPath)?.size ?? 0) }
        return try await LongWork.run(standing: "Nothing was attached.") { work in
            let start = folder.storedBytes
            work.report("storing", Int64(0), of: total, .bytes)
            let watching = Task {
                while !Task.isCancelled {
                    work.report("storing", folder.storedBytes - start, of: total, .bytes)
                    try? await Task.sleep(for: .milliseconds(100))
                }
            }
            defer { watching.cancel() }
            return try await body()
        }
    }

    private func attach(to owner: EntityReference, in store: TripStore) async throws -> [AttachedFile.ID] {
        let urls = files.map { URL(fileURLWithPath: ($0 as NSString).expandingTildeInPath) }
        guard urls.count == 1 else {
            return try await store.attach(urls, to: owner, mediaType: type, caption: caption, by: author.authorship)
        }
        return [
            try await store.attach(
                urls[0], to: owner, as: name, mediaType: type, caption: caption, by: author.authorship)
        ]
    }
}
