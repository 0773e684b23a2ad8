import Events
import Synchronization

/// The kinds and fields that one store knows: its options declare them, or its log describes them.
///
/// Each store has its own, so that two in one process may know different ones. A class, for the store shares it with its views and with the
/// queries that are made for it. Nil in its place knows what every store does.
package final class KnownSchema: Sendable {
    private struct Contents {
        /// By number; 0 is the kind itself.
        var descriptions: [ConcreteKind: [UInt64: FieldDescription]] = [:]
        /// The namespaces whose kinds and fields the log is known to describe, as far as the options declare them.
        var described: Set<UInt64> = []
    }

    package let declared: DeclaredSchema
    private let contents = Mutex(Contents())
    private let changes = Atomic(0)

    package init(_ descriptions: [FieldDescription] = [], declaring parts: [any SchemaPart] = []) {
        declared = parts.isEmpty ? .builtIn : DeclaredSchema(parts)
        add(descriptions)
    }

    /// How often something new was described.
    package var changeCount: Int { changes.load(ordering: .relaxed) }

    /// Takes in what a log says of kinds and fields.
    package func add(_ found: [FieldDescription]) {
        contents.withLock { contents in
            for description in found {
                let former = contents.descriptions[description.concreteKind, default: [:]]
                    .updateValue(description, forKey: description.number)
                if former != description { changes.add(1, ordering: .relaxed) }
            }
        }
    }

    /// The description of a field, or with 0 of the kind itself.
    func description(_ kind: ConcreteKind, _ number: UInt64) -> FieldDescription? {
        contents.withLock { $0.descriptions[kind]?[number] }
    }

    /// The descriptions of a kind and of its fields, in the order of their numbers.
    func descriptions(of kind: ConcreteKind) -> [FieldDescription] {
        contents.withLock { $0.descriptions[kind] ?? [:] }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The descriptions of the apps' kinds.
    var describedKinds: [FieldDescription] { contents.withLock { $0.descriptions.values.compactMap { $0[0] } } }

    // MARK: What events use

    /// Whether a kind or a field is declared or described.
    package func knows(_ part: UsedPart) -> Bool {
        let schema = declared.schema(of: part.kind)
        return (part.number == 0 ? schema != nil : schema?.field(part.number) != nil)
            || description(part.kind, part.number) != nil
    }

    /// The namespaces of parts of which the log is not known to have the descriptions.
    package func undescribed(_ parts: [UsedPart]) -> Set<UInt64> {
        contents.withLock { contents in
            parts.reduce(into: []) { found, part in
                if let namespace = part.namespace, !contents.described.contains(namespace) { found.insert(namespace) }
            }
        }
    }

    /// Remembers that the log has what is declared in some namespaces.
    package func noteDescribed(_ namespaces: Set<UInt64>) {
        contents.withLock { $0.described.formUnion(namespaces) }
    }
}

extension KnownSchema? {
    /// The kinds and fields that are declared.
    package var declared: DeclaredSchema { self?.declared ?? .builtIn }

    /// The description of a field in the log.
    func description(_ kind: ConcreteKind, _ number: UInt64) -> FieldDescription? { self?.description(kind, number) }
}

/// A kind or a field in a namespace that an event uses: one that a store must know to write it.
package struct UsedPart: Hashable, Sendable {
    package let kind: ConcreteKind
    /// The number of the field; 0 for the kind.
    package let number: UInt64

    package init(kind: ConcreteKind, number: UInt64 = 0) {
        self.kind = kind
        self.number = number
    }

    /// The hash of the namespace that has it; nil for what is in none.
    package var namespace: UInt64? { FieldPath(field: number).isOwn ? number >> 16 : kind.own?.namespaceHash }

    /// Whether the log is to have its name, and the store must know it: that of links and contacts it need not have.
    package var needsDescription: Bool {
        guard let namespace else { return false }
        return namespace != StoreNamespace.hash || number == 0 || StoreNamespace.describes(field: number)
    }

    /// The name that is left without a schema: the hash of the namespace, and the number in it.
    package var words: String {
        FieldPath.ownName(of: number).map { "the field \($0)" } ?? "the kind \(kind.own?.hashName ?? "")"
    }
}
