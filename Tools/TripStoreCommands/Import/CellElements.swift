import Foundation
import TripStore

/// A cell with the elements of a set, a list or a map, between commas.
struct CellElements {
    private struct Element: Hashable {
        /// Of a map; empty elsewhere.
        var key = ""
        var value: String
    }

    private let field: FieldDescription
    private let old: [Element]
    private let new: [Element]
    /// The elements that `edit` takes in another form than cells show.
    private var arguments: [Element: String] = [:]

    private var isMap: Bool { field.shape == .map }

    /// Throws `CommandError` if the cell does not show where an element ends, or for an element that is none.
    init<Entity: TripEntity>(
        _ change: CellChange, of field: FieldDescription, on entity: Entity, in store: TripStore
    ) throws {
        self.field = field
        let ambiguous = Self.ambiguous(field, of: entity.reference.id)
        guard let old = Self.elements(change.present.text, of: field),
            var new = Self.elements(change.text, of: field)
        else { throw ambiguous }
        if field.keyType == .reference || field.type == .reference {
            for index in new.indices {
                new[index].key = try Self.id(new[index].key, field.keyType, field, on: entity, in: store)
                new[index].value = try Self.id(new[index].value, field.type, field, on: entity, in: store)
            }
        }
        (self.old, self.new) = (old, new)
        let held: [JSONValue] =
            switch change.present.value {
            case .array(let values): values
            case .object(let values): Array(values.values)
            default: []
            }
        guard held.count == old.count, Self.areDistinct(new, in: field) else { throw ambiguous }
        if field.type == .link || field.type == .contact {
            for (element, value) in zip(old, held) {
                arguments[element] = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
            }
            for element in new where arguments[element] == nil {
                // The parts of a contact, and a title without its address, have commas as well.
                guard field.type == .link, element.value.contains(":") else { throw ambiguous }
                arguments[element] = try Self.link(element.value)
            }
        }
    }

    private static func ambiguous(_ field: FieldDescription, of id: UUID) -> CommandError {
        let name = field.name
        let advice =
            field.shape == .map
            ? "--set '\(name)[KEY]=VALUE' or --remove \(name)=KEY" : "--insert \(name)=VALUE or --remove \(name)=VALUE"
        return CommandError(
            "what is one element cannot be told. Change it with 'edit \(id) \(advice)'.", code: "usage")
    }

    /// Nil if the text does not show where each of them ends, or has one twice.
    private static func elements(_ text: String, of field: FieldDescription) -> [Element]? {
        let texts = text.split(whereSeparator: \.isNewline).flatMap { $0.components(separatedBy: ", ") }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        let elements = texts.compactMap { text -> Element? in
            guard field.shape == .map else { return Element(value: text) }
            let parts = text.components(separatedBy: ": ")
            return parts.count == 2 ? Element(key: parts[0], value: parts[1]) : nil
        }
        return elements.count == texts.count && areDistinct(elements, in: field) ? elements : nil
    }

    private static func areDistinct(_ elements: [Element], in field: FieldDescription) -> Bool {
        Set(elements.map { field.shape == .map ? $0.key : $0.value }).count == elements.count
    }

    /// The id in place of a name, as cells show it.
    private static func id<Entity: TripEntity>(
        _ text: String, _ type: OwnFieldType, _ field: FieldDescription, on entity: Entity, in store: TripStore
    ) throws -> String {
        guard type == .reference else { return text }
        let value = try OwnFieldOptions.value(text, of: type, for: field, on: entity, in: store)
        return (value as? EntityReference)?.id.uuidString ?? text
    }

    /// A link with a title, as cells show it, as JSON prints it; another one as it is.
    private static func link(_ text: String) throws -> String {
        guard text.hasSuffix(">"), let start = text.range(of: " <", options: .backwards) else { return text }
        let parts = ["title": String(text[..<start.lowerBound]), "url": String(text[start.upperBound...].dropLast())]
        return String(decoding: try JSONEncoder().encode(parts), as: UTF8.self)
    }

    /// The options of one `edit` after the other: removals come first, so that what is inserted again stays.
    func commands() -> [[String]] {
        let kept = field.shape == .list ? keptInOrder() : Set(old).intersection(new)
        let keys = Set(new.map(\.key))
        let removals = old.filter { isMap ? !keys.contains($0.key) : !kept.contains($0) }
            .flatMap { ["--remove", "\(field.name)=\(isMap ? $0.key : argument($0))"] }
        let additions = new.filter { !kept.contains($0) }.flatMap { element in
            isMap
                ? ["--set", "\(field.name)[\(element.key)]=\(argument(element))"]
                : ["--insert", "\(field.name)=\(argument(element))"]
        }
        return [removals, additions].filter { !$0.isEmpty }
    }

    private func argument(_ element: Element) -> String { arguments[element] ?? element.value }

    /// The elements of a list that stay: insertions come last, so what is behind the first of them is inserted anew.
    private func keptInOrder() -> Set<Element> {
        var kept: Set<Element> = []
        var rest = old[...]
        for element in new {
            guard let index = rest.firstIndex(of: element) else { break }
            kept.insert(element)
            rest = rest[(index + 1)...]
        }
        return kept
    }
}
