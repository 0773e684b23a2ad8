import ArgumentParser
import Events
import Foundation
import TripFormats
import TripStore
import Trips

/// A table of `list --csv` that comes back, as from a spreadsheet: cells that say something else than what they said are edits.
struct OwnTable {
    private let names: [String]
    private let rows: [[DelimitedReader.Cell]]

    /// The names that columns of older tables have.
    private static let formerNames = ["created": "createdAt", "updated": "updatedAt", "items": "itemCount"]

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
        var unread = UnreadColumns()
        let counted = try names.contains { $0 == "itemCount" || $0 == "items" } ? TripTable.counted(in: store) : [:]
        for row in rows where row.contains(where: { !$0.text.isEmpty }) {
            switch try outcome(of: row, in: store, counted, &unread) {
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
        for warning in unread.warnings { report.warn(warning) }
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
        of row: [DelimitedReader.Cell], in store: TripStore, _ counted: [UUID: [String: CSVTable.Cell]],
        _ unread: inout UnreadColumns
    ) throws -> Outcome {
        guard row.count == names.count else {
            return .leftOut(.activity, "it has \(row.count.counted("cell")), and the header \(names.count).")
        }
        let id = zip(names, row).first { $0.0 == "id" }?.1.text ?? ""
        guard let uuid = UUID(uuidString: id) else { return .leftOut(.activity, "\"\(id.prefix(60))\" is no id.") }
        guard let entity = try store.read({ try $0.entities(withID: uuid) }).first, let type = entity.type else {
            return .leftOut(.activity, "the store has nothing with the id \(id). A mapping takes rows of other stores.")
        }
        do { return try outcome(of: row, entity, type, in: store, counted[uuid] ?? [:], &unread) } catch let error
            as TripStoreError
        {
            return .leftOut(entity.kind, error.message)
        }
    }

    /// - Parameter counted: cells of the entity that show no fields.
    private func outcome<Entity: TripEntity>(
        of row: [DelimitedReader.Cell], _ entity: EntityReference, _ type: Entity.Type, in store: TripStore,
        _ counted: [String: CSVTable.Cell], _ unread: inout UnreadColumns
    ) throws -> Outcome {
        let id = Identifier<Entity>(entity.id)
        let held = try store.read { try $0.present(id).0 }
        let shown = try Self.renderings(of: held, in: store)
        var edit = RowEdit<Entity>(of: id)
        var isStale = false
        for (name, cell) in zip(names, row) where name != "id" {
            let known = shown[name] == nil ? Self.formerNames[name] ?? name : name
            if let present = shown[known] {
                guard !present.cell.isShown(as: cell.text) else { continue }
                switch known {
                case "updatedAt": isStale = true
                case "createdAt": unread.note(changed: name, at: cell.place)
                default: edit.add(cell.text, to: present)
                }
            } else if name == "kind", EntityKind.itemKinds.contains(entity.kind) {
                guard cell.text != entity.kind.words else { continue }
                return .leftOut(
                    entity.kind,
                    "in 'kind' \"\(cell.text.prefix(60))\", a table changes no kind. Change it with 'edit \(id) --kind', and list again."
                )
            } else if let present = counted[known] {
                if !present.isShown(as: cell.text) { unread.note(changed: name, at: cell.place) }
            } else if !cell.text.isEmpty {
                guard Self.isFieldOfItems(name, beside: entity.kind) else {
                    unread.note(unknown: name)
                    continue
                }
                return .leftOut(
                    entity.kind,
                    "in '\(name)' \"\(cell.text.prefix(60))\", no \(entity.kind.words) has that field. Empty the cell.")
            }
        }
        guard !edit.isEmpty else { return .unchanged(entity.kind) }
        let stale = Outcome.leftOut(
            entity.kind,
            "\(edit.columns) would change, and the entity was changed since the table was written. List it again.")
        do {
            // Other texts for the values that are there change nothing, also in an old table.
            guard let event = try edit.event(on: held, in: store) else { return .unchanged(entity.kind) }
            return isStale ? stale : .edited(entity, event)
        } catch {
            return isStale ? stale : .leftOut(entity.kind, "in \(error.description)")
        }
    }

    /// Whether a table of items has a column for other kinds of items.
    private static func isFieldOfItems(_ name: String, beside kind: EntityKind) -> Bool {
        let kinds: [any TripEntity.Type] = [Activity.self, Lodging.self, Transportation.self]
        return EntityKind.itemKinds.contains(kind) && kinds.contains { $0.fieldNames.contains(name) }
    }

    private static func renderings<Entity: TripEntity>(
        of entity: Entity, in store: TripStore
    ) throws -> [String: FieldRendering] {
        guard let described = entity as? DescribedEntity, let kind = OwnKind(of: entity.reference) else {
            return try EntityColumns(allOf: Query<Entity>(in: store.knownSchema)).renderings(entity, in: store)
        }
        return try EntityColumns(allOf: Query(of: kind, in: store.knownSchema)).renderings(described, in: store)
    }
}

extension CSVTable.Cell {
    /// Whether a cell of a table says it, with formulas defused or not, and whichever line breaks a program writes.
    fileprivate func isShown(as text: String) -> Bool {
        let text = text.replacing("\r\n", with: "\n")
        return [true, false].contains { shown(isRaw: $0).replacing("\r\n", with: "\n") == text }
    }
}
