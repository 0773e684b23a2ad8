import ArgumentParser
import Foundation
import TripFormats
import TripStore
import Trips

/// A table of `list --csv` that comes back, as from a spreadsheet: cells that say something else than what they said are edits.
struct OwnTable {
    private let names: [String]
    private let rows: [[DelimitedReader.Cell]]

    /// Columns that say of an entity what is none of its fields.
    private static let derived: Set<String> = ["kind", "items"]

    /// Nil for a table without a column of ids of entities. Throws `TextFormatError` if it cannot be cut into cells.
    init?(path: String, called file: String) throws {
        do {
            guard let (names, rows) = try Self.cells(of: TableText(TextBytes.contents(of: path))) else { return nil }
            (self.names, self.rows) = (names, rows)
        } catch var error as TextFormatError {
            error.file = file
            throw error
        }
    }

    private static func cells(of text: TableText) throws -> (names: [String], rows: [[DelimitedReader.Cell]])? {
        for delimiter in text.delimiter.map({ [$0] }) ?? [UInt8](",;\t|".utf8) {
            var reader = try DelimitedReader(text.bytes, delimiter: delimiter)
            if text.delimiter != nil { reader.skipLine() }
            guard let header = try? reader.next(), let id = header.firstIndex(where: { $0.text == "id" }),
                header.count > 1
            else { continue }
            var rows: [[DelimitedReader.Cell]] = []
            while let row = try reader.next() { rows.append(row) }
            let hasIDs = rows.contains { $0.count > id && UUID(uuidString: $0[id].text) != nil }
            return hasIDs || rows.isEmpty ? (header.map(\.text), rows) : nil
        }
        return nil
    }

    /// The outcome of one row.
    private enum Outcome {
        case unchanged(EntityKind)
        case edited(EntityReference, TripEvent)
        case leftOut(EntityKind, String)
    }

    /// Writes what differs in one commit. A row that cannot be used is left out; if `isStrict`, it refuses all.
    func run(
        in store: TripStore, by author: AuthorOption, isStrict: Bool, isDryRun: Bool, called file: String
    ) async throws -> ImportReport {
        var report = ImportReport()
        report.hasOtherKinds = true
        var edits: [(entity: EntityReference, event: TripEvent)] = []
        var unread: Set<String> = []
        for row in rows where row.contains(where: { !$0.text.isEmpty }) {
            switch try outcome(of: row, in: store, &unread) {
            case .unchanged(let kind): report.count(.unchanged, kind)
            case .edited(let entity, let event):
                report.count(.edited, entity.kind)
                edits.append((entity, event))
            case .leftOut(let kind, let fault):
                report.count(.skipped, kind)
                report.warn("line \(row[0].place.line): the row is left out: \(fault)")
            }
        }
        if isStrict, let first = report.warnings.first {
            throw TextFormatError(.malformed, "\(first) Nothing was written.", file: file)
        }
        for name in unread.sorted() {
            report.warn(
                "The column '\(name.prefix(60))' is no field of what is in its rows: it was not read.")
        }
        report.events = edits.count
        guard !isDryRun, !edits.isEmpty else { return report }
        var authorship = author.authorship
        authorship.correlation = UUID()
        let receipt = try await store.append(edits.map(\.event), by: authorship)
        (report.commits, report.correlation) = (1, authorship.correlation)
        try receipt.noteFollowed(in: store)
        return report
    }

    private func outcome(
        of row: [DelimitedReader.Cell], in store: TripStore, _ unread: inout Set<String>
    ) throws -> Outcome {
        guard row.count == names.count else {
            return .leftOut(.activity, "it has \(row.count) cells, and the header \(names.count).")
        }
        let id = zip(names, row).first { $0.0 == "id" }?.1.text ?? ""
        guard let uuid = UUID(uuidString: id) else { return .leftOut(.activity, "\"\(id.prefix(60))\" is no id.") }
        guard let entity = try store.read({ try $0.entities(withID: uuid) }).first, let type = entity.type else {
            return .leftOut(.activity, "the store has nothing with the id \(id). A mapping takes rows of other stores.")
        }
        do { return try outcome(of: row, entity, type, in: store, &unread) } catch let error as TripStoreError {
            return .leftOut(entity.kind, error.message)
        }
    }

    private func outcome<Entity: TripEntity>(
        of row: [DelimitedReader.Cell], _ entity: EntityReference, _ type: Entity.Type, in store: TripStore,
        _ unread: inout Set<String>
    ) throws -> Outcome {
        let id = Identifier<Entity>(entity.id)
        let held = try store.read { try $0.present(id).0 }
        let shown = try Self.cells(of: held, in: store)
        var edit = RowEdit<Entity>(of: id)
        var isStale = false
        for (name, cell) in zip(names, row) where name != "id" && name != "created" {
            guard let present = shown[name] else {
                // A table of trips has what their items cost.
                let isDerived = Self.derived.contains(name) || name == "cost" && entity.kind == .trip
                if !cell.text.isEmpty, !isDerived { unread.insert(name) }
                continue
            }
            guard !present.isShown(as: cell.text) else { continue }
            if name == "updated" { isStale = true } else { edit.add(cell.text, to: name) }
        }
        guard !edit.isEmpty else { return .unchanged(entity.kind) }
        if isStale {
            return .leftOut(
                entity.kind,
                "\(edit.columns) would change, and the entity was changed since the table was written. List it again.")
        }
        do {
            guard let event = try edit.event(on: held, in: store) else { return .unchanged(entity.kind) }
            return .edited(entity, event)
        } catch {
            return .leftOut(entity.kind, "in \(edit.columns), \(EditCommand.message(for: error))")
        }
    }

    private static func cells<Entity: TripEntity>(
        of entity: Entity, in store: TripStore
    ) throws -> [String: CSVTable.Cell] {
        guard let described = entity as? DescribedEntity, let kind = OwnKind(of: entity.reference) else {
            return try EntityColumns(allOf: Query<Entity>(in: store.knownSchema)).named(entity, in: store)
        }
        return try EntityColumns(allOf: Query(of: kind, in: store.knownSchema)).named(described, in: store)
    }
}

extension CSVTable.Cell {
    /// Whether a cell of a table says it, with formulas defused or not, and whichever line breaks a program writes.
    fileprivate func isShown(as text: String) -> Bool {
        let text = text.replacing("\r\n", with: "\n")
        return [true, false].contains { shown(isRaw: $0).replacing("\r\n", with: "\n") == text }
    }
}
