import ArgumentParser
import Foundation
import TripFormats
import TripStore

struct FindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find words in names, places, notes, codes and more.",
        discussion: """
            All words must be in one entity, each as a whole or as the beginning of a longer one, whatever case and accents they have. What is in \
            quotes is found as it stands there. What counts most comes first: names before notes, whole words before beginnings. What was \
            deleted is not found, and neither are templates, unless they are named by --trip or --under. Every entity is looked at. If there are more than --limit, \
            --after the cursor that is printed on standard error, in JSON the "next" of the last line, goes on.

            Examples:
              tripstore find lis tram
              tripstore find '"tram 28"' --trip Lisbon
              tripstore find TP-551 --kind transportations
              tripstore find socks --kind packing --json
              tripstore find spice --under Dune
              tripstore find hotel --as-of 2027-05-01 --csv
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var past: AsOfOption
    @OptionGroup var paging: LimitOptions
    @OptionGroup var table: TableOption

    @Argument(help: ArgumentHelp("Words, and phrases in quotes.", valueName: "text"))
    var text: [String]

    @Option(
        name: .long, parsing: .singleValue,
        help: "Only this kind: trips, activities, attachments, or what the log calls an app's; may be repeated.")
    var kind: [String] = []

    @Option(name: .long, help: "Only this trip and what belongs to it. \(EntityArgument.help)")
    var trip: EntityArgument?

    @Option(name: .long, help: "Only this entity, of whatever kind, and what belongs to it.")
    var under: EntityArgument?

    @Option(name: .long, help: "Go on after a page: the cursor that it named.")
    var after: String?

    var limits: LimitOptions { paging.whole(for: table.csv) }

    func validate() throws {
        try table.check(with: options)
        guard under == nil || trip == nil else {
            throw ArgumentParser.ValidationError("--under and --trip both say where to look: give one of them.")
        }
    }

    func run() async throws {
        let store = try await options.openForReading()
        let source: any TripQuerying = try await past.past(of: store) ?? store
        let cursor = try after.map { text in
            guard let cursor = PageCursor(text) else {
                throw ValidationError("'\(text)' is no cursor. --after takes what the page before named.")
            }
            return cursor
        }
        let found = try source.search(
            text.joined(separator: " "), kinds: kind.map { try store.searchedKind($0) },
            in: root(in: store), limit: limits.count, after: cursor,
            describedBy: store.fieldDescriptions())
        let last = found.rows.last?.id
        if options.json {
            for hit in found.rows {
                Console.current.out(HitText(hit).json(next: hit.id == last ? found.next : nil).text)
            }
        } else if table.csv {
            var hits = CSVTable(columns: HitText.columns)
            for hit in found.rows { hits.add(HitText(hit).cells) }
            hits.print(table.form)
        } else {
            if found.isEmpty { Console.current.out("Nothing found.") }
            Console.current.show(try lines(of: found.rows, in: source))
        }
        if let next = found.next { LimitOptions.noteMore(after: next) }
    }

    private func root(in store: TripStore) throws -> EntityReference? {
        if let trip { return try store.trip(trip).reference }
        return try under.map { try store.entity($0, of: EntityArgument.anyKind) }
    }

    private func lines(of hits: [SearchHit], in source: any TripQuerying) throws -> [String] {
        let ids = try ShortIDs.shown(hits.map(\.entity.id), in: source)
        let rows = try zip(hits, ids).map { hit, id in
            let root = try hit.root.map { try source.name(of: $0) } ?? ""
            return [id, hit.entity.kindWords, root, HitText(hit).words]
        }
        let table = TextTable(cutting: [2, 3], dropping: [2], naming: 3) { [0: TextStyle.id, 1: .kind][$1] }
        return table.lines(rows)
    }
}

extension TripStore {
    /// A kind by the name of one or of many, an app's by the name that the log has.
    fileprivate func searchedKind(_ name: String) throws -> ConcreteKind {
        if name == "attachment" || name == "attachments" { return AttachedFile.concreteKind }
        return try QueriedKind(argument: name)?.type.concreteKind ?? ConcreteKind(ownKind(named: name))
    }
}
