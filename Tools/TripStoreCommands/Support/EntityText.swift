import Foundation
import TripFormats
import TripStore

extension EntityKind {
    /// The kind's name for programs, or its number.
    var json: JSON { .string(name ?? "\(rawValue)") }
}

extension EntityReference {
    /// The kind in a word, for people, an app's by its name.
    var kindWords: String { kindName(in: Console.current.known) ?? kind.words }

    /// The kind's name for programs, that of an app's own kind behind `own.`, so that it is taken for none of the store's own.
    var kindJSON: JSON {
        guard kind.isNamespaced else { return kind.json }
        return .string(
            (OwnKind(of: self)?.isOfStore == true ? "" : "own.") + (kindName(in: Console.current.known) ?? ""))
    }
}

/// Entities and their fields in words and in JSON.
enum EntityText {
    /// The kind, the name and the id; on a terminal, where an id takes half of a line, only of what has no name.
    static func words(_ entity: EntityReference, _ name: String) -> String {
        let id = name.isEmpty || Console.current.layout.columns == nil ? " \(entity.id.uuidString)" : ""
        return entity.kindWords + (name.isEmpty ? "" : " \"\(name)\"") + id
    }

    static func members(_ entity: EntityReference, _ name: String) -> [(String, JSON)] {
        [("kind", entity.kindJSON), ("id", .string(entity.id.uuidString)), ("name", .string(name))]
    }

    /// A field's old value, if there ever was one, and its new value; of a value that was written again, that it stays.
    static func change(_ field: String, _ old: FieldRendering?, _ new: FieldRendering) -> String {
        if let old, old.value == new.value, old.text == new.text { return "\(field) stays \(new.words)" }
        return old.map { "\(field) \($0.words) → \(new.words)" } ?? "\(field) \(new.words)"
    }
}

extension FieldRendering {
    /// The value for people, with a word for an empty one.
    var words: String { text.isEmpty ? "nothing" : text }
}

extension CommitInfo {
    /// Author and replica, the latter by its first digits.
    var who: String { "\(author.isEmpty ? "" : "\(author)@")\(replica.description.prefix(8))" }

    /// Its author, time and position.
    var members: [(String, JSON)] {
        [
            ("author", .string(author)), ("replica", .string("\(replica)")),
            ("timestamp", .string(timestamp.utcText)), ("written", .string(written.utcText)),
            ("position", .integer(position.rawValue)),
            ("sequence", .integer(sequence.rawValue)),
        ]
    }
}
