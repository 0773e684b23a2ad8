package import Events
import Foundation

/// A text of an entity that a search looks at.
package struct EntityText: Sendable, Hashable {
    package let field: SearchField
    /// The field's number in the log.
    package let number: UInt64
    package let text: String

    /// Compares bytes: equal strings may have different ones, of which the platform's tables decide.
    package func isSame(as other: EntityText) -> Bool {
        field == other.field && number == other.number && text.utf8.elementsEqual(other.text.utf8)
    }
}

/// The fields that a search looks at: those of the store's own kinds, and those of apps that ask for it (`isSearched`).
package struct SearchedFields: Sendable, Hashable {
    private enum Form: UInt8 {
        case text, address, link, contact

        init(_ type: any FieldValue.Type) {
            self = type == Address.self ? .address : type == Link.self ? .link : type == Contact.self ? .contact : .text
        }
    }

    private struct Rule: Hashable {
        let field: SearchField
        let form: Form

        init(_ field: SearchField, _ form: Form = .text) {
            self.field = field
            self.form = form
        }
    }

    private var rules: [ConcreteKind: [UInt64: Rule]]
    /// Tells from each other what searches look at in fields of apps: views of words are built anew when it changes.
    package let fingerprint: String

    /// Those of the store's own kinds, and those among the descriptions that ask for it. Only text is searched.
    package init(_ described: [FieldDescription] = []) {
        rules = Self.builtIn
        var words: [String] = []
        for field in described where field.isSearched {
            guard field.type == .text, [.value, .set, .map, .list].contains(field.shape) else { continue }
            let known = rules[field.concreteKind, default: [:]].updateValue(Rule(.ofApp), forKey: field.number)
            if known == nil { words.append("\(field.concreteKind.bytes.hexadecimal) \(field.number)") }
        }
        fingerprint = words.sorted().joined(separator: ",")
    }

    /// By what says which fields of apps there are: the others are always the same.
    package static func == (a: SearchedFields, b: SearchedFields) -> Bool { a.fingerprint == b.fingerprint }
    package func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }

    /// Whether a search looks at entities of the kind of one.
    package func covers(_ entity: EntityReference) -> Bool { rules[ConcreteKind(entity)] != nil }

    /// The texts of an entity, in the order of their fields; none if it is not there.
    package func texts(
        of entity: EntityReference, _ record: borrowing RecordView
    ) throws(WireError) -> [EntityText] {
        guard let rules = rules[ConcreteKind(entity)], try record.isPresent() else { return [] }
        var found: [EntityText] = []
        var registers = record.registers
        while let register = try registers.next() {
            guard let value = register.value, !value.isEmpty, let rule = rules[register.field],
                Self.isText(register.key)
            else { continue }
            let text = try Self.text(value, rule.form)
            if !text.isEmpty { found.append(EntityText(field: rule.field, number: register.field, text: text)) }
        }
        // In the order of the log among those of a field.
        return found.enumerated().sorted { a, b in
            let (field, other) = (a.element.field.rawValue, b.element.field.rawValue)
            return field == other ? a.offset < b.offset : field < other
        }.map(\.element)
    }

    /// Whether a register is a field's value, or an element of a set, a map or a list.
    private static func isText(_ key: UnsafeRawBufferPointer) -> Bool {
        key.first.map { ElementKey.Kind(rawValue: $0)?.isValue ?? false } ?? true
    }

    private static func text(_ value: UnsafeRawBufferPointer, _ form: Form) throws(WireError) -> String {
        switch form {
        case .text: return String(decoding: value, as: UTF8.self)
        // What others wrote need be no address: then there is nothing to find in it.
        case .address: return (try? Address(encoded: value, strictly: false))?.searchedText ?? ""
        case .link: return (try? Link(encoded: value, strictly: false)).map { "\($0.title)\n\($0.url)" } ?? ""
        case .contact:
            let contact = try? Contact(encoded: value, strictly: false)
            return contact.map { [$0.name, $0.role, $0.phone, $0.email].joined(separator: "\n") } ?? ""
        }
    }

    // MARK: The store's own kinds

    private static let builtIn: [ConcreteKind: [UInt64: Rule]] = {
        let schemas = EntitySchema.all + StoreKinds.schemas.values
        return Dictionary(
            uniqueKeysWithValues: schemas.map { schema in
                let fields = (schema.fields + schema.added).compactMap { field in
                    field.search.map { (field.number, Rule($0, Form(field.type))) }
                }
                return (ConcreteKind(schema), Dictionary(uniqueKeysWithValues: fields))
            })
    }()
}

extension Address {
    /// The whole address, and behind it the parts that it does not have.
    fileprivate var searchedText: String {
        let parts = [street, postalCode, city, state, country].filter {
            !$0.isEmpty && !ByteSearch.contains($0, in: formatted)
        }
        return (formatted.isEmpty ? parts : [formatted] + parts).joined(separator: "\n")
    }
}
