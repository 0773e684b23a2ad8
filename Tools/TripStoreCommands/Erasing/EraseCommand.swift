import ArgumentParser
import Foundation
import TripFormats
import TripStore

struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase for good, in the history and on every device.",
        discussion: """
            A trip, an item or an attachment goes with everything that ever belonged to it, deleted or not, also as undoings and imports \
            wrote it. A copy made with 'copy' is another trip: erase it too. With --field only the values of that field go, and all that \
            was written together with them is written anew; with --history only what was there before. What is erased is listed first, \
            and then it is asked; --yes answers.

            This device's own events are removed at once, for good. Those of others are hidden at once, and removed after a period in \
            which 'tripstore erasures --take-back' brings them back. Backups, bundles, dumps and copies that no longer sync cannot be \
            erased. An import leaves out what was erased, unless it has --erased.

            Examples:
              tripstore erase Lisbon --dry-run
              tripstore erase passport.jpg --yes
              tripstore erase Lisbon --field notes --history
              tripstore erase Lisbon --author ben
            """)

    @OptionGroup var options: StoreOptions

    @OptionGroup var entity: AnyEntity

    @OptionGroup var scope: TripScope

    @Option(name: .customLong("field"), help: "Only this field, by its name as in 'audit log'. May be repeated.")
    var fields: [String] = []

    @Flag(name: .long, help: "Only what was there before: present values stay.")
    var history = false

    @Option(name: .long, help: "Only what was written in this name.")
    var author: String?

    @Flag(name: .long, help: "Leave out what this device may not erase, because others wrote it.")
    var mine = false

    @Flag(name: .long, help: "Erase without being asked.")
    var yes = false

    @Flag(name: .long, help: "List what would be erased, and erase nothing.")
    var dryRun = false

    func run() async throws {
        if dryRun {
            let plan = try await plan(in: try await options.openForReading())
            return show(plan, nil)
        }
        let isErased = try await withStore(options) { store in
            let plan = try await plan(in: store)
            try check(plan)
            let erasures = try await LongWork.run(standing: Self.standing, showing: "erasing") { _ in
                try await store.erase(plan)
            }
            show(plan, erasures)
            return !erasures.isEmpty
        }
        if isErased { await options.removeErasedBytes() }
    }

    private static let standing = "What was erased by then stays erased, and the same command does the rest."

    private func plan(in store: TripStore) async throws -> ErasurePreview {
        let entity = try named(in: store)
        let plan = try await LongWork.run(standing: "Nothing was erased.", showing: "planning") { _ in
            try await store.previewErasing(entity, fields: fields, history: history, author: author)
        }
        return mine ? plan.withoutRefused : plan
    }

    /// The entity, even if it is deleted.
    private func named(in store: TripStore) throws -> EntityReference {
        let trip = try scope.id(in: store)
        do { return try entity.reference(in: store, of: trip) } catch let error as TripStoreError
            where error.code == .unknownEntity
        {
            let kinds = entity.kind.map { [$0] } ?? EntityArgument.anyKind
            let deleted = try? store.entity(entity.entity, of: kinds, deleted: true, in: trip)
            guard let deleted else { throw error }
            return deleted
        }
    }

    /// Asks; throws unless the answer is yes.
    private func check(_ plan: ErasurePreview) throws {
        guard plan.refused.isEmpty else {
            throw CommandError(
                "This device may not erase \(ErasurePlanText.count(plan.refused)), which others wrote, and nothing was erased. Who wrote "
                    + "it, or an admin, erases it; without a founder of the journal only who wrote it. Add --mine to erase the rest.",
                code: "notErasable")
        }
        guard !plan.commits.isEmpty, !yes else { return }
        try Console.current.confirm(
            "Erase this?", ErasurePlanText(plan).lines, otherwise: "Nothing was erased",
            hint: "--dry-run lists what would be. Add --yes to erase it.")
    }

    /// Prints a plan, or what was done.
    private func show(_ plan: ErasurePreview, _ erasures: [ErasureStatus]?) {
        let text = ErasurePlanText(plan)
        if options.json { return Console.current.out(text.json(erasures).text) }
        guard !plan.commits.isEmpty else { return Console.current.out("There is nothing to erase.") }
        guard let erasures else {
            for line in text.lines { Console.current.out(line) }
            return
        }
        Console.current.tell("Erased \(ErasurePlanText.count(plan.commits))")
        for erasure in erasures {
            if case .pending = erasure.state { Console.current.tell(ErasureText.words(erasure)) }
        }
        Console.current.tell(
            "Other devices follow when they sync. Backups, bundles, dumps and copies that no longer sync keep it: erase or replace them by "
                + "hand.")
    }
}
