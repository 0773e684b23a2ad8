import ArgumentParser
import TripFormats
import TripStore

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Show a conflict, or write the value that is right.",
        discussion: """
            Without --take and --value both values are shown, with who wrote them, when and where; on a terminal one of them can be chosen \
            then. To take the superseded side of a deletion restores what was deleted; to take the winning side of one deletes \
            it again, in view of what it deleted.

            Examples:
              tripstore resolve 1
              tripstore resolve 1 --take superseded
              tripstore resolve 1 --value '61.50 EUR'
              tripstore resolve 4db085cc213b.0-1 --take winner
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(
        help: """
            The conflict's number, as 'tripstore conflicts' lists it, or its id, as 'tripstore audit conflicts' does; of the hash the first \
            digits are enough.
            """)
    var conflict: String

    @Option(name: .long, help: "Which side is to stand: superseded or winner.")
    var take: TripStore.ConflictSide?

    @Option(name: .long, parsing: .unconditional, help: "Another value of the field, as it is shown.")
    var value: String?

    func validate() throws {
        guard Int(conflict) != nil || Conflict.ID.mayBeName(conflict) else {
            throw ArgumentParser.ValidationError(
                "'\(conflict)' is no number and no id of a conflict. Ids look like 4db085cc213b.0-1; 'tripstore conflicts' has the numbers."
            )
        }
        if take != nil && value != nil { throw ArgumentParser.ValidationError("Give --take or --value, not both.") }
    }

    func run() async throws {
        if let value { return try await write(value) }
        var (side, chosen) = (take, conflict)
        if side == nil {
            let store = try await options.openForReading()
            let conflict = try Self.find(conflict, in: store)
            if options.json { return Console.current.out(ConflictText.json(conflict).text) }
            // Another write may change which one has the number.
            chosen = "\(conflict.id)"
            for line in try ConflictDetails(conflict: conflict, store: store).lines { Console.current.out(line) }
            await store.closeUnlessShared()
            guard let ask = Console.current.ask else {
                return Console.current.note(
                    "Take one with --take winner or --take superseded, or write another with --value.")
            }
            side =
                ["1": .winner, "2": .superseded][ask("Which is to stand, 1 or 2? Anything else leaves it open.") ?? ""]
        }
        guard let side else { return }
        let (resolved, receipt) = try await withStore(options) { store in
            let conflict = try Self.find(chosen, in: store)
            return (conflict, try await store.resolve(conflict, taking: side, by: author.authorship))
        }
        receipt.print(
            options, Self.words(resolved, side).visible,
            unchanged: "Nothing to change: the conflict is resolved, and that side stands.")
    }

    /// Finds it by its number or its id.
    private static func find(_ text: String, in store: TripStore) throws -> Conflict {
        guard let number = Int(text) else { return try store.conflict(named: text) }
        let conflicts = try store.numberedConflicts()
        guard let found = conflicts.first(where: { $0.number == number }) else {
            let others =
                conflicts.isEmpty
                ? "none is open. 'tripstore audit conflicts --all' lists those that were."
                : "they have the numbers 1 to \(conflicts.count). 'tripstore conflicts' lists them."
            throw TripStoreError(.unknownConflict, "There is no conflict \(number): \(others)")
        }
        return found.conflict
    }

    /// Writes a third value as an edit of the field does: it has seen what stands.
    private func write(_ value: String) async throws {
        let arguments = try await arguments(writing: value) + (options.store.map { ["--store", $0] } ?? [])
        var edit = try TypedOptions.$names.withValue(TypedOptions.names(in: arguments)) {
            try EditCommand.parse(arguments)
        }
        (edit.options, edit.author) = (options, author)
        try await edit.run()
    }

    /// The options of that edit. The store is let go of before it is opened for writing.
    private func arguments(writing value: String) async throws -> [String] {
        let store = try await options.openForReading()
        let found = try Self.find(conflict, in: store)
        let arguments = try ConflictDetails(conflict: found, store: store).arguments(writing: value)
        await store.closeUnlessShared()
        guard found.winner.value.text != value else {
            throw CommandError("'\(value)' stands already. Say so with --take winner.")
        }
        return arguments
    }

    private static func words(_ conflict: Conflict, _ side: TripStore.ConflictSide) -> String {
        let entity = EntityText.words(conflict.entity, conflict.name)
        switch conflict.subject {
        case .field:
            let value = side == .superseded ? conflict.superseded.value : conflict.winner.value
            return "Wrote \(entity): " + EntityText.change(conflict.field, conflict.winner.value, value)
        case .deletion: return side == .superseded ? "Restored \(entity)" : "Deleted \(entity) again"
        case .parentDeletion(let parent):
            let words = EntityText.words(parent, "")
            return side == .superseded ? "Restored \(words) with \(entity)" : "Deleted \(words) again, with \(entity)"
        }
    }
}
