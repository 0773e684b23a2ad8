import Events

/// The kinds and fields that a store knows by its options, beside those that every store has: for rules, for names, and for values in words.
///
/// A class, so that handing one out copies nothing. It never changes.
package final class DeclaredSchema: Sendable {
    /// The kinds and fields of every store, and none of an app.
    package static let builtIn = DeclaredSchema([])

    /// The store's own by kind number; nil where there is no kind. Each has the fields of apps among its `added`.
    private let kinds: [EntitySchema?]
    private let namespaced: [OwnKind: EntitySchema]
    /// The descriptions of all parts, each kind and field once.
    package let descriptions: [FieldDescription]
    /// Whether there is a kind that denies the deletion of its parent.
    package let mayDeny: Bool
    /// Whether there is a field that is also written to those which it replaces.
    let mayDowngrade: Bool
    /// Why no store can be opened with the parts, in words; nil if one can.
    package let refusal: String?

    /// A number has one meaning and one type of value for as long as there are logs: of parts that say different things of one the first counts.
    package init(_ parts: [any SchemaPart]) {
        var namespaced = StoreKinds.schemas
        var fields: [ConcreteKind: [UInt64: EntitySchema.Field]] = [:]
        var descriptions: [FieldDescription] = []
        var refusal: String?
        for part in parts {
            let declared = part.declared
            let kind = ConcreteKind(declared.kind)
            if let own = kind.own {
                let known = namespaced[own] ?? declared.kind
                namespaced[own] = known
                refusal = refusal ?? declared.kind.objection(to: known)
            }
            if let field = declared.field {
                let known = fields[kind]?[field.number] ?? field
                refusal = refusal ?? field.objection(to: known)
                fields[kind, default: [:]][field.number] = field.decides(over: known) ? field : known
            }
            for description in part.fieldDescriptions {
                let index = descriptions.firstIndex { $0.path == description.path }
                guard let index else {
                    descriptions.append(description)
                    continue
                }
                // A field may be named with and without its searches.
                if description.isSearched { descriptions[index] = description }
            }
        }
        let added = fields.mapValues { $0.values.sorted { $0.number < $1.number } }
        kinds = EntitySchema.byNumber.map { $0?.adding(added) }
        self.namespaced = namespaced.mapValues { $0.adding(added) }
        self.descriptions = descriptions
        self.refusal = refusal
        let all = kinds.compactMap { $0 } + self.namespaced.values
        mayDeny = all.contains { $0.parentRule == .deny }
        mayDowngrade = all.contains { ($0.ordered + $0.added).contains { $0.former?.downgrade != nil } }
    }

    /// The schemas of all kinds in namespaces.
    var namespacedKinds: [EntitySchema] { Array(namespaced.values) }

    /// The schema of an entity's kind; nil if it is not known here.
    @inline(__always)
    func schema(of entity: EntityReference) -> EntitySchema? {
        entity.kind.isNamespaced ? OwnKind(of: entity).flatMap { namespaced[$0] } : schema(of: entity.kind)
    }

    func schema(of kind: ConcreteKind) -> EntitySchema? {
        kind.kind.isNamespaced ? kind.own.flatMap { namespaced[$0] } : schema(of: kind.kind)
    }

    private func schema(of kind: EntityKind) -> EntitySchema? {
        let number = Int(kind.rawValue)
        return number < kinds.count ? kinds[number] : nil
    }

    /// The descriptions that the log is to have of the kinds and fields in a namespace.
    package func descriptions(in namespace: UInt64) -> [FieldDescription] {
        namespace == StoreNamespace.hash
            ? StoreKinds.descriptions : descriptions.filter { $0.namespaceHash == namespace }
    }
}

extension EntitySchema {
    /// The difference from another declaration of the same kind, in words; nil if they say the same.
    fileprivate func objection(to known: EntitySchema) -> String? {
        let isSame = parentRule == known.parentRule && SchemaFingerprint.words(known) == SchemaFingerprint.words(self)
        if known === self || isSame { return nil }
        return
            "The kind '\(name)' has the number of '\(known.name)' in its namespace, and other fields or another rule of parents. "
            + "Give it another number."
    }

    /// The schema with the fields that apps have on its kind.
    fileprivate func adding(_ fields: [ConcreteKind: [Field]]) -> EntitySchema {
        guard let further = fields[ConcreteKind(self)] else { return self }
        return EntitySchema(
            kind, name, self.fields + added + further, spans, of: self.type, own: own, namespace, former: formerFields,
            unlisted: unlisted)
    }
}

extension EntitySchema.Field {
    /// The name of the type with which an own field is declared; empty for others.
    var declaredType: String { own?.declaredType ?? "" }

    /// The difference from another declaration of the same number, in words; nil if they agree.
    fileprivate func objection(to known: EntitySchema.Field) -> String? {
        guard known.name != name || known.type != type || !CollectionForm.agree(known.collection, collection) else {
            return nil
        }
        return
            "The own field '\(name)' has the number of '\(known.name)', which is declared as \(known.declared), and not as "
            + "\(declared). Give it another number."
    }

    /// Which of two declarations says how queries read the field, in whatever order they are made: one that replaces others, for a further one may
    /// say nothing of these; then one whose type has a value wherever the bytes have one; then the one whose type has the lesser name.
    fileprivate func decides(over other: EntitySchema.Field) -> Bool {
        if (former == nil) != (other.former == nil) { return former != nil }
        if (isReadable == nil) != (other.isReadable == nil) { return isReadable == nil }
        return declaredType.utf8.lexicographicallyPrecedes(other.declaredType.utf8)
            || declaredType.utf8.elementsEqual(other.declaredType.utf8)
    }
}

/// A kind or a field of an app, of which a store's options name those that it knows: the `Schema` of an app's own kind, an `OwnField`, `OwnSet`,
/// `OwnMap`, `OwnList` or `OwnCounter`.
///
/// ```swift
/// let store = try await TripStore.open(at: folder, options: .init(schema: [Book.schema, Book.rating]))
/// ```
public protocol SchemaPart: Sendable {
    /// The declaration as a store takes it in.
    var declared: DeclaredPart { get }
}

/// A declaration of a kind, or of a field in a namespace.
public struct DeclaredPart: Sendable {
    /// The kind, or the one that has the field.
    let kind: EntitySchema
    /// Nil for the kind itself.
    let field: EntitySchema.Field?
}

extension SchemaPart {
    /// The descriptions for the log: one of a field; of a kind its own, and one of each field.
    package var fieldDescriptions: [FieldDescription] {
        let kind = ConcreteKind(declared.kind)
        if let field = declared.field { return [FieldDescription(of: kind, field)] }
        guard let namespace = declared.kind.namespace else { return [] }
        return [FieldDescription(of: kind, number: 0, namespace: namespace.name, name: declared.kind.name, type: .data)]
            + (declared.kind.fields + declared.kind.formerFields).map { FieldDescription(of: kind, $0, in: namespace) }
    }
}

extension Schema: SchemaPart where Entity: OwnEntity {
    public var declared: DeclaredPart { DeclaredPart(kind: erased, field: nil) }
}
