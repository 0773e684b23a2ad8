import ArgumentParser
import Foundation
import TripStore

struct SaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Write an attachment's bytes, verified, to a file.",
        discussion: """
            Examples:
              tripstore save ticket.pdf ~/Desktop/ticket.pdf
              tripstore save 80A1FC91 ticket.pdf --force
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The attachment: its id, the first digits of that, or its name.")
    var attachment: EntityArgument

    @OptionGroup var scope: TripScope

    @Argument(help: "The file, or a folder to put it into.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Replace a file that is there.")
    var force = false

    func run() async throws {
        let store = try await options.openForReading()
        let attachment = try store.attachment(attachment, in: scope.id(in: store))
        var target = URL(fileURLWithPath: (file as NSString).expandingTildeInPath)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder), isFolder.boolValue {
            // A name from elsewhere must not lead out of the folder, or hide a file in it that programs read.
            let name = attachment.name.split(separator: "/").last.map(String.init) ?? ""
            target.appendPathComponent(name.isEmpty || name.hasPrefix(".") ? "\(attachment.id)" : name)
        }
        try await store.save(attachment, to: target, replacing: force)
        Console.current.out(
            options.json
                ? JSON.object([
                    ("saved", .string(target.path)), ("attachment", .string("\(attachment.id)")),
                    ("bytes", .optional(attachment.size)),
                ]).text
                : "Wrote \(AttachmentText.size(attachment.size)) to \(target.path)".visible)
    }
}

struct DiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard", abstract: "Give up an attachment's bytes for ever, everywhere.",
        discussion: """
            Deleting an attachment keeps its bytes for 30 days, and on the last replica that has them for ever, so that it can be undone. \
            This cannot. The attachment itself, and that it was discarded, stay in the history.

            Example:
              tripstore discard ticket.pdf --yes
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "The attachment: its id, the first digits of that, or its name.")
    var attachment: EntityArgument

    @OptionGroup var scope: TripScope

    @Flag(name: .long, help: "Do it: nothing brings the bytes back.")
    var yes = false

    func run() async throws {
        guard yes else {
            throw CommandError("Nothing was discarded: it cannot be undone. Add --yes to do it.", code: "protected")
        }
        try await withStore(options) { store in
            let attachment = try store.attachment(attachment, in: scope.id(in: store))
            let receipt = try await store.discard(attachment.id, by: author.authorship)
            receipt.print(options, "Discarded \(attachment.name)")
        }
    }
}

extension TripStore {
    /// The attachment that an argument names.
    fileprivate func attachment(_ argument: EntityArgument, in trip: Trip.ID?) throws -> AttachedFile {
        let reference = try entity(argument, of: [.own], own: AttachedFile.schema.ownKind, in: trip)
        guard let attachment = try entity(AttachedFile.ID(reference.id)) else {
            throw CommandError(
                "'\(argument.text)' is deleted, or what it belongs to is. Restore that with 'tripstore restore'.",
                code: "unknownEntity")
        }
        return attachment
    }
}
