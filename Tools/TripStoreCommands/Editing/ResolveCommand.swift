import ArgumentParser
import TripStore

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Resolve a conflict: write one of its two values, in view of both.",
        discussion: """
            To take the superseded side of a deletion restores what was deleted; to take the winning side of one deletes \
            it again, in view of what it deleted.

            Example:
              tripstore resolve 4db085cc213b.0-1 --take superseded
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(
        help: "The conflict's id, as 'tripstore audit conflicts' lists it; of the hash the first digits are enough.")
    var conflict: String

    @Option(name: .long, help: "Which side is to stand: superseded or winner.")
    var take: TripStore.ConflictSide

    func validate() throws {
        guard Conflict.ID.mayBeName(conflict) else {
            throw ValidationError(
                "'\(conflict)' is no id of a conflict. They look like 4db085cc213b.0-1; 'tripstore audit conflicts' lists them."
            )
        }
    }

    func run() async throws {
        let (resolved, receipt) = try await withStore(options) { store in
            let conflict = try store.conflict(named: conflict)
            return (conflict, try await store.resolve(conflict, taking: take, by: author.authorship))
        }
        receipt.print(options, Self.words(resolved, take).visible)
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
