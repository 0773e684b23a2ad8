public import Events

/// The rule of what becomes of an entity whose parent is deleted. The log has no events for it: it holds while the parent is deleted, and
/// ends when that is restored.
public enum ParentRule: Sendable {
    /// It is hidden with its parent.
    case cascade
    /// It stays, and its parent reads as nil.
    case nullify
    /// Its parent cannot be deleted here while it is there. Where that is deleted elsewhere concurrently, or what the parent belongs to is
    /// deleted, it stays, and `unfiled` lists it.
    case deny
}

/// Which parents the entities of a kind may have: part of its schema, in numbers alone, because it is read for every record.
package enum ParentKinds: Hashable, Sendable {
    case none
    /// Entities of one kind, which has no parents itself: nothing is above them.
    case one(EntityKind)
    /// Entities of all kinds: there are many levels, and concurrent moves can make a ring.
    case any

    /// Whether they are of one kind. Entities with such parents lie in the order of time, whatever their own kind is.
    package var areOfOneKind: Bool { if case .one = self { true } else { false } }

    /// Whether entities of a kind are among them.
    package func include(_ kind: EntityKind) -> Bool { self == .any || self == .one(kind) }

    /// The id's bytes in a value that names such a parent; nil if it names none. Valid as long as the value is.
    package func idBytes(in value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        switch self {
        case .none: nil
        case .one(let kind): EntityReference.idBytes(in: value, of: kind)
        case .any: EntityReference.idBytes(in: value, of: nil)
        }
    }
}

extension EntityKind {
    /// Descriptions of apps' own fields in the log: see `FieldDescription`. It is no entity of a store's queries.
    package static let schema = EntityKind(rawValue: 6)

    /// The number that all kinds in namespaces share, those that apps add among them: see `OwnKind` and `OwnEntity`.
    public static let own = EntityKind(rawValue: 7)

    /// The kinds that this version knows, by number, without those of apps.
    package static let known: [EntityKind] = EntitySchema.all.map(\.kind)

    /// The kind's name, as in "book"; nil if this version does not know it.
    public var name: String? {
        isNamespaced ? "own" : self == .schema ? "schema" : EntitySchema.of(self)?.name
    }

    /// One of the store's own kinds by its name; nil if there is none.
    package init?(name: String) {
        guard let schema = EntitySchema.all.first(where: { $0.name == name }) else { return nil }
        self = schema.kind
    }
}

extension EntityKind {
    private typealias Rules = (parents: ParentKinds, rule: ParentRule, unlisted: UInt64?, nullifies: Bool)

    /// The rules of schemas, by kind number, so that reading a record compares numbers alone.
    private static let rules: [Rules] = {
        var rules = [Rules](
            repeating: noRules, count: Int(max(EntityKind.own, EntityKind.known.max() ?? .own).rawValue) + 1)
        for schema in EntitySchema.all {
            rules[Int(schema.kind.rawValue)] = (
                schema.parents, schema.parentRule, schema.unlisted, !schema.nullified.isEmpty
            )
        }
        rules[Int(EntityKind.own.rawValue)] = (.any, .cascade, nil, true)
        return rules
    }()

    private static let noRules: Rules = (.none, .cascade, nil, false)

    private var rules: Rules { rawValue < Self.rules.count ? Self.rules[Int(rawValue)] : Self.noRules }

    /// Which parents entities of the kind may have.
    package var parents: ParentKinds { rules.parents }

    /// The rule of entities of the kind without their parent. The rules of apps' kinds each store knows by itself: see `EntityReference`.
    package var parentRule: ParentRule { rules.rule }

    /// The flag with which an entity of the kind is in no list; nil if all are listed.
    package var unlisted: UInt64? { rules.unlisted }

    /// Whether fields of the kind may read as nil while what they name is deleted.
    package var nullifies: Bool { rules.nullifies }

    package var mayHaveParent: Bool { if case .none = parents { false } else { true } }

    /// Whether a parent may have a parent in turn.
    package var mayNest: Bool { if case .any = parents { true } else { false } }

    /// Whether there is a kind whose entities belong to those of this one alone.
    package var isOnlyParent: Bool { Self.rules.contains { $0.parents == .one(self) } }

    /// The parent that a value of the parent's field names; nil if entities of the kind cannot have it.
    package func parent(in value: UnsafeRawBufferPointer) -> EntityReference? {
        parents.idBytes(in: value) == nil ? nil : EntityReference(fieldValue: value)
    }
}

extension EntityReference {
    /// The rule of what becomes of the entity without its parent. A store that does not know the kind hides it.
    package func parentRule(in known: KnownSchema?) -> ParentRule {
        kind.isNamespaced ? known.declared.schema(of: self)?.parentRule ?? .cascade : kind.parentRule
    }
}

extension RecordView {
    /// Whether a field that is a flag is set.
    package func has(flag: UInt64) throws(WireError) -> Bool {
        var registers = registers
        while let register = try registers.next(), register.field <= flag {
            if register.field == flag, register.key.isEmpty { return Bool.decoded(register.value) ?? false }
        }
        return false
    }

    /// The parent that the record of an entity of a kind names.
    package func parent(of kind: EntityKind) throws(WireError) -> EntityReference? {
        guard kind.mayHaveParent else { return nil }
        return try withParent(of: kind) { parent, _ in parent }
    }

    /// The parent, and the stamp with which it was written.
    package func stampedParent(of kind: EntityKind) throws(WireError) -> (entity: EntityReference, stamp: Stamp)? {
        try withParent(of: kind) { (parent, register) throws(WireError) in (parent, try stamp(of: register)) }
    }

    private func withParent<T>(
        of kind: EntityKind, _ body: (EntityReference, borrowing Register) throws(WireError) -> T
    ) throws(WireError) -> T? {
        let field = FieldPath.parent.field
        var registers = registers
        while let register = try registers.next(), register.field <= field {
            guard register.field == field, register.key.isEmpty else { continue }
            guard let value = register.value, let parent = kind.parent(in: value) else { return nil }
            return try body(parent, register)
        }
        return nil
    }
}

extension EntityRecord {
    /// The parent that the record of an entity of a kind names, and the stamp with which it was written.
    package func stampedParent(of kind: EntityKind) -> (entity: EntityReference, stamp: Stamp)? {
        guard let register = register(at: .parent),
            let parent = register.value?.withUnsafeBytes({ kind.parent(in: $0) })
        else { return nil }
        return (parent, register.stamp)
    }
}
