import Events
import Synchronization

/// The own fields that this process knows, by kind and number: for names, for rules, and for values in words.
///
/// One for the process: a field describes what the log has under its number, whatever store it is read from.
final class OwnFieldRegistry: Sendable {
    static let shared = OwnFieldRegistry()

    private struct Key: Hashable {
        let kind: ConcreteKind
        let number: UInt64
    }

    private let fields = Mutex<[Key: EntitySchema.Field]>([:])
    /// Those that replace others, by kind.
    private let evolved = Mutex<[ConcreteKind: [UInt64: EntitySchema.Field]]>([:])
    private let changes = Atomic(0)

    /// How often something new was declared.
    var changeCount: Int { changes.load(ordering: .relaxed) }

    /// A number has one meaning and one type of value for as long as there are logs: two declarations of it that differ are a mistake of
    /// the program.
    func add(_ kind: ConcreteKind, _ field: EntitySchema.Field) {
        TripEvent.note(field.former)
        if field.former != nil { evolved.withLock { $0[kind, default: [:]][field.number] = field } }
        fields.withLock { fields in
            let key = Key(kind: kind, number: field.number)
            let known = fields[key]
            if known.map({ field.decides(over: $0) }) ?? true {
                fields[key] = field
                let isSame =
                    (known?.former == nil) == (field.former == nil) && known?.declaredType == field.declaredType
                if known == nil || !isSame { changes.add(1, ordering: .relaxed) }
            }
            precondition(
                known.map {
                    $0.name == field.name && $0.type == field.type
                        && CollectionForm.agree($0.collection, field.collection)
                } ?? true,
                "The own field '\(field.name)' has the number of '\(known?.name ?? "")', which is declared as "
                    + "\(known?.declared ?? ""), and not as \(field.declared). Give it another number.")
        }
    }

    /// The field of a number; of several declarations the one that decides over the others.
    func field(_ kind: ConcreteKind, _ number: UInt64) -> EntitySchema.Field? {
        fields.withLock { $0[Key(kind: kind, number: number)] }
    }

    /// The fields of a kind that replace others, by number.
    func evolved(_ kind: ConcreteKind) -> [EntitySchema.Field] {
        evolved.withLock { $0[kind]?.sorted { $0.key < $1.key }.map(\.value) ?? [] }
    }

    /// The fields of a kind that this process declares, without those of the schema of an app's own kind.
    func declared(of kind: ConcreteKind) -> [EntitySchema.Field] {
        fields.withLock { $0.filter { $0.key.kind == kind }.map(\.value) }
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
