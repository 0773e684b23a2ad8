import ArgumentParser
import Foundation
import TripStore

/// The cells of a row of an own table that say something new, as the options of `edit`.
struct RowEdit<Entity: TripEntity> {
    private let id: Identifier<Entity>
    private var changes: [(column: String, text: String)] = []

    init(of id: Identifier<Entity>) { self.id = id }

    var isEmpty: Bool { changes.isEmpty }

    /// With their new texts, for people.
    var columns: String {
        changes.map { "'\($0.column)' \"\($0.text.prefix(60))\"" }.joined(separator: ", ")
    }

    mutating func add(_ text: String, to column: String) { changes.append((column, text)) }

    /// Throws an error of the command line for a text that is no value of its field, or `ValidationError`; nil if nothing is new.
    func event(on held: Entity, in store: TripStore) throws -> TripEvent? {
        let arguments =
            try [id.uuid.uuidString] + changes.flatMap { try Self.arguments($0.column, Self.plain($0.text)) }
        let edit = try TypedOptions.$names.withValue(TypedOptions.names(in: arguments)) {
            // The command line is not of this store else.
            try EditCommand.parse(arguments + ["--store", store.folder.path])
        }
        var draft = held
        try edit.change(&draft, clearing: edit.clear.map { try edit.field($0, of: id, in: store) }, in: store)
        guard let event = TripEvent.edited(from: held, to: draft) else { return nil }
        try draft.validate(after: event)
        return event
    }

    /// Without the apostrophe that keeps a spreadsheet from taking a text for a formula.
    private static func plain(_ text: String) -> String {
        guard text.first == "'", let second = text.unicodeScalars.dropFirst().first,
            "=+-@\t\r".unicodeScalars.contains(second)
        else { return text }
        return String(text.dropFirst())
    }

    private static func arguments(_ column: String, _ text: String) throws -> [String] {
        if text.isEmpty { return ["--clear", column] }
        guard
            let (field, options) = FieldOption.all(for: Entity.fieldOutlines).first(where: { $0.field.name == column })
        else {
            return ["--set", "\(column)=\(text)"]
        }
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch field.form {
        case .flag:
            guard let option = options.first, ["yes", "no"].contains(text) else { break }
            return [text == "yes" ? option.typed : "--no-\(option.name)"]
        case .moment, .money:
            // As they are shown, the zone or the currency is behind.
            return zip(options, words).map { "\($0.typed)=\($1)" }
        case .address: break
        default: if let option = options.first { return ["\(option.typed)=\(text)"] }
        }
        throw CommandError("'\(column)' cannot be read from a table. Change it with 'edit'.", code: "usage")
    }
}
