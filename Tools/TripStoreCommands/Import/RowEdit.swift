import ArgumentParser
import Foundation
import TripStore

/// The cells of a row of an own table that say something new, as the options of `edit`.
struct RowEdit<Entity: TripEntity> {
    private let id: Identifier<Entity>
    private var changes: [CellChange] = []

    init(of id: Identifier<Entity>) { self.id = id }

    var isEmpty: Bool { changes.isEmpty }

    /// With their new texts, for people.
    var columns: String { changes.map(\.words).joined(separator: ", ") }

    mutating func add(_ text: String, to present: FieldRendering) {
        changes.append(
            CellChange(present: present, text: Self.plain(text), words: "'\(present.name)' \"\(text.prefix(60))\""))
    }

    /// Throws `CommandError` that names the columns for a text that is no value of its field; nil if nothing is new.
    func event(on held: Entity, in store: TripStore) throws(CommandError) -> TripEvent? {
        var draft = held
        for change in changes {
            do {
                for options in try commands(for: change, on: draft, in: store) {
                    try apply(options, to: &draft, in: store)
                }
            } catch { throw fault(error, in: change.words) }
        }
        guard let event = TripEvent.edited(from: held, to: draft) else { return nil }
        do { try draft.validate(after: event) } catch { throw fault(error, in: columns) }
        return event
    }

    private func fault(_ error: any Error, in columns: String) -> CommandError {
        CommandError("\(columns), \(EditCommand.message(for: error))", code: "usage")
    }

    private func apply(_ options: [String], to draft: inout Entity, in store: TripStore) throws {
        let arguments = [id.uuid.uuidString] + options
        let edit = try TypedOptions.$names.withValue(TypedOptions.names(in: arguments)) {
            // The command line is not of this store else.
            try EditCommand.parse(arguments + ["--store", store.folder.path])
        }
        try edit.change(&draft, clearing: edit.clear.map { try edit.field($0, of: id, in: store) }, in: store)
    }

    /// Without the apostrophe that keeps a spreadsheet from taking a text for a formula.
    private static func plain(_ text: String) -> String {
        guard text.first == "'", let second = text.unicodeScalars.dropFirst().first,
            "=+-@\t\r".unicodeScalars.contains(second)
        else { return text }
        return String(text.dropFirst())
    }

    /// The options of one `edit` after the other.
    private func commands(
        for change: CellChange, on draft: Entity, in store: TripStore
    ) throws -> [[String]] {
        let (column, text) = (change.column, change.text)
        guard
            let (field, options) = FieldOption.all(for: Entity.fieldOutlines)
                .first(where: { $0.field.name == column && !$0.field.isAdded })
        else {
            let field = try OwnFieldOptions.field(column, of: id.reference, in: store)
            // The form of an item that had another kind names its first one there.
            if field.isOfStore, column == "supersedes" { throw change.unwritable }
            if text.isEmpty { return [["--clear", column]] }
            guard [.set, .list, .map].contains(field.shape) else {
                let value = field.type == .day ? DayCell.text(text, besides: change.present.text) : text
                return [["--set", "\(column)=\(value)"]]
            }
            return try CellElements(change, of: field, on: draft, in: store).commands()
        }
        guard let option = options.first else { throw change.unwritable }
        if text.isEmpty { return [["--clear", column]] }
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch field.form {
        case .flag:
            let isOn = ["yes": true, "true": true, "no": false, "false": false][text.lowercased()]
            guard let isOn else { throw CommandError("'\(text)' is neither yes nor no.", code: "usage") }
            return [[isOn ? option.typed : "--no-\(option.name)"]]
        // As they are shown, the zone or the currency is behind.
        case .moment, .money: return [zip(options, words).map { "\($0.typed)=\($1)" }]
        case .day: return [["\(option.typed)=\(DayCell.text(text, besides: change.present.text))"]]
        case .address:
            return [
                try AddressCell(change, draft.fieldValue(field.number) as? Address).options(from: options, of: id.uuid)
            ]
        default: return [["\(option.typed)=\(text)"]]
        }
    }
}

/// A cell that says something new.
struct CellChange {
    /// What the store shows in its place.
    let present: FieldRendering
    let text: String
    /// The column and the text, for people.
    let words: String

    var column: String { present.name }

    var unwritable: CommandError {
        CommandError("the store alone writes '\(column)'. Put back \"\(present.text)\".", code: "usage")
    }
}
