import Events
import Synchronization

/// The kinds and fields of apps that this process declares: for names, for rules, and for values in words.
///
/// One for the process, as the declarations are: a number in a namespace means the same in every store.
final class DeclaredSchema: Sendable {
    static let shared = DeclaredSchema()

    private struct Contents {
        var kinds: [OwnKind: EntitySchema] = [:]
        var fields: [ConcreteKind: [UInt64: EntitySchema.Field]] = [:]
        /// Those that replace others, in the order of their numbers.
        var evolved: [ConcreteKind: [EntitySchema.Field]] = [:]
    }

    private let contents = Mutex(Contents())
    private let changes = Atomic(0)
    private let denies = Atomic(false)
    private let downgrades = Atomic(false)

    private static let storeDenies = EntitySchema.all.contains { $0.parentRule == .deny }

    /// How often a kind or a field was declared that is new or says more than the declarations before: rules may be others then.
    var changeCount: Int { changes.load(ordering: .relaxed) }

    /// Whether there is a kind that denies the deletion of its parent.
    var mayDeny: Bool { denies.load(ordering: .relaxed) || Self.storeDenies }

    /// Whether there is a field that is also written to those which it replaces.
    var mayDowngrade: Bool { downgrades.load(ordering: .relaxed) }

    // MARK: Kinds

    /// A kind has one schema in a process, which counts from its first use on: two that differ are a mistake of the program.
    func add(_ schema: EntitySchema) {
        guard let own = schema.own, !own.isOfStore else { return }
        for field in schema.ordered { note(field.former) }
        if schema.parentRule == .deny { denies.store(true, ordering: .relaxed) }
        let known = contents.withLock { contents in
            let known = contents.kinds[own]
            if known == nil {
                contents.kinds[own] = schema
                changes.add(1, ordering: .relaxed)
            }
            return known
        }
        precondition(
            known.map { SchemaFingerprint.words($0) == SchemaFingerprint.words(schema) } ?? true,
            "The kind '\(schema.name)' has the number of '\(known?.name ?? "")' in its namespace, and other fields. Give it "
                + "another number.")
    }

    /// The schema of an app's kind; nil if it was not declared, or not yet.
    func schema(of kind: OwnKind) -> EntitySchema? { contents.withLock { $0.kinds[kind] } }

    /// The schemas of all kinds of apps.
    var schemas: [EntitySchema] { contents.withLock { Array($0.kinds.values) } }

    // MARK: Fields

    /// A number has one meaning and one type of value for as long as there are logs: two declarations of it that differ are a mistake of
    /// the program.
    func add(_ kind: ConcreteKind, _ field: EntitySchema.Field) {
        note(field.former)
        let known = contents.withLock { contents in
            let known = contents.fields[kind]?[field.number]
            if known.map({ field.decides(over: $0) }) ?? true {
                contents.fields[kind, default: [:]][field.number] = field
                let isSame =
                    (known?.former == nil) == (field.former == nil) && known?.declaredType == field.declaredType
                if known == nil || !isSame { changes.add(1, ordering: .relaxed) }
                if field.former != nil {
                    let others = (contents.evolved[kind] ?? []).filter { $0.number != field.number }
                    contents.evolved[kind] = (others + [field]).sorted { $0.number < $1.number }
                }
            }
            return known
        }
        precondition(
            known.map {
                $0.name == field.name && $0.type == field.type
                    && CollectionForm.agree($0.collection, field.collection)
            } ?? true,
            "The own field '\(field.name)' has the number of '\(known?.name ?? "")', which is declared as "
                + "\(known?.declared ?? ""), and not as \(field.declared). Give it another number.")
    }

    /// The field of a number; of several declarations the one that decides over the others.
    func field(_ kind: ConcreteKind, _ number: UInt64) -> EntitySchema.Field? {
        contents.withLock { $0.fields[kind]?[number] }
    }

    /// The fields of a kind, without those of the schema of an app's own kind.
    func fields(of kind: ConcreteKind) -> [EntitySchema.Field] {
        contents.withLock { Array(($0.fields[kind] ?? [:]).values) }
    }

    /// The fields of a kind that replace others, in the order of their numbers.
    func evolved(_ kind: ConcreteKind) -> [EntitySchema.Field] { contents.withLock { $0.evolved[kind] ?? [] } }

    private func note(_ former: FormerFields?) {
        if former?.downgrade != nil { downgrades.store(true, ordering: .relaxed) }
    }
}

extension EntitySchema.Field {
    /// The name of the type with which an own field is declared; empty for others.
    var declaredType: String { own?.declaredType ?? "" }

    /// Which of two declarations says how queries read the field, in whatever order they are made: one that replaces others, for a further one may
    /// say nothing of these; then one whose type has a value wherever the bytes have one; then the one whose type has the lesser name.
    fileprivate func decides(over other: EntitySchema.Field) -> Bool {
        if (former == nil) != (other.former == nil) { return former != nil }
        if (isReadable == nil) != (other.isReadable == nil) { return isReadable == nil }
        return declaredType.utf8.lexicographicallyPrecedes(other.declaredType.utf8)
            || declaredType.utf8.elementsEqual(other.declaredType.utf8)
    }
}
