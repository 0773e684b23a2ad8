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

/// Which fields a search looks at: those of the store's own kinds, and those of apps that ask for it (`searched()`).
package struct SearchedFields: Sendable, Hashable {
    private enum Form: UInt8 {
        case text, address, link, contact
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
            let known = rules[field.concreteKind, default: [:]].updateValue(Rule(.own), forKey: field.number)
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
        guard let kind = key.first else { return true }
        return [ElementKey.Kind.addition, .entry, .item].contains { $0.rawValue == kind }
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
        let lists = [StoreList.links.number: Rule(.link, .link), StoreList.contacts.number: Rule(.contact, .contact)]
        let item: [UInt64: Rule] = [
            1: Rule(.name), 7: Rule(.code), 8: Rule(.notes), 9: Rule(.place), 11: Rule(.address, .address),
            19: Rule(.tag),
        ].merging(lists) { own, _ in own }
        let journey: [UInt64: Rule] = [
            22: Rule(.carrier), 23: Rule(.code), 26: Rule(.place), 27: Rule(.place), 30: Rule(.address, .address),
            31: Rule(.place), 32: Rule(.place), 35: Rule(.address, .address),
        ].merging(item) { own, _ in own }
        let trip: [UInt64: Rule] = [1: Rule(.name), 3: Rule(.notes), 8: Rule(.place)]
        let organization: [UInt64: Rule] = [
            1: Rule(.name), 3: Rule(.contact), 4: Rule(.link), 6: Rule(.address, .address), 7: Rule(.contact),
        ]
        return [
            ConcreteKind(Trip.self): trip.merging(lists) { own, _ in own },
            ConcreteKind(Activity.self): item, ConcreteKind(Lodging.self): item,
            ConcreteKind(Transportation.self): journey,
            ConcreteKind(Organization.self): organization.merging(lists) { own, _ in own },
            ConcreteKind(Traveller.self): [1: Rule(.name), 3: Rule(.contact), 4: Rule(.contact), 6: Rule(.notes)],
            ConcreteKind(Budget.self): [1: Rule(.tag), 4: Rule(.notes)],
            ConcreteKind(Checklist.self): [1: Rule(.name), 3: Rule(.tag), 5: Rule(.notes)],
            ConcreteKind(ChecklistEntry.self): [1: Rule(.name), 7: Rule(.notes)],
            ConcreteKind(AttachedFile.self): [1: Rule(.name), 5: Rule(.caption)],
        ]
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
