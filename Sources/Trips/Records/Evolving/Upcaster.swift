/// Reads the fields that another replaces: how an app changes the type or the meaning of a field.
///
/// The latest write to the new field or the old ones counts, clearing included. Devices with old and new versions of the app work side by
/// side, and the log is never rewritten.
///
/// ```swift
/// extension Book {
///     static let stars = OwnField<Book, String>("org.example.reading", 1, "stars")
///     static let points = OwnField<Book, Int>(
///         "org.example.reading", 2, "points",
///         replacing: Upcaster(
///             stars, upgrade: { $0.count * 2 },
///             downgrade: { String(repeating: "*", count: min(max($0 / 2, 0), 5)) }))
/// }
/// ```
///
/// Several fields that replace one split it: each takes its part, and none has a `downgrade`. A changed function is another meaning, and so
/// takes another field.
public struct Upcaster<Entity: TripEntity, Value: OwnFieldValue>: Sendable {
    let former: FormerFields
    /// The replaced fields of an app's kind.
    let fields: [EntitySchema.Field]

    /// From one field.
    ///
    /// - Parameters:
    ///   - old: the field that is replaced. Its number is smaller, and in the same namespace; it may have replaced another itself.
    ///   - upgrade: a pure function, and total: it gets every value that others wrote, also one that breaks the rule of the old field, and
    ///     must not stop the program. Nil where the old value means nothing here. A cleared old field has no value here.
    ///   - downgrade: the value that a write of the new field writes to the old one, for devices with the old version of the app. The old
    ///     field is cleared if it is nil or breaks the rule of the old field, and if the new field is cleared. Without `downgrade` the old
    ///     field stays as it is.
    public init<Old: ReplaceableField>(
        _ old: Old, upgrade: @escaping @Sendable (Old.Value) -> Value?,
        downgrade: (@Sendable (Value) -> Old.Value?)? = nil
    ) where Old.Entity == Entity {
        let back = downgrade.map { downgrade in
            { @Sendable (new: [UInt8]?) -> [[UInt8]?] in [Value(own: new).flatMap(downgrade)?.ownBytes] }
        }
        former = FormerFields(
            sources: [old.replaced.source],
            upgrade: { old in old.first.flatMap { Old.Value(own: $0) }.flatMap(upgrade)?.ownBytes },
            downgrade: back)
        fields = old.replaced.fields
    }

    /// From two fields that are merged into one.
    ///
    /// - Parameters:
    ///   - first: as for one field, and so is the second.
    ///   - upgrade: takes the values of both, of which one may be nil.
    ///   - downgrade: as for one field, for both.
    public init<First: ReplaceableField, Second: ReplaceableField>(
        _ first: First, _ second: Second, upgrade: @escaping @Sendable (First.Value?, Second.Value?) -> Value?,
        downgrade: (@Sendable (Value) -> (First.Value?, Second.Value?))? = nil
    ) where First.Entity == Entity, Second.Entity == Entity {
        let back = downgrade.map { downgrade in
            { @Sendable (new: [UInt8]?) -> [[UInt8]?] in
                guard let value = Value(own: new) else { return [nil, nil] }
                let (first, second) = downgrade(value)
                return [first?.ownBytes, second?.ownBytes]
            }
        }
        former = FormerFields(
            sources: [first.replaced.source, second.replaced.source],
            upgrade: { old in
                guard old.count == 2 else { return nil }
                return upgrade(First.Value(own: old[0]), Second.Value(own: old[1]))?.ownBytes
            }, downgrade: back)
        fields = first.replaced.fields + second.replaced.fields
    }

    /// A new field has a greater number than those that it replaces, in one namespace: a wrong declaration stops the program.
    func check(_ number: UInt64, _ name: String) {
        for old in former.numbers {
            precondition(
                old < number && old >> 16 == number >> 16,
                "The field '\(name)' has the number \(number & 0xFFFF), and replaces one with the number \(old & 0xFFFF). Give it a "
                    + "greater one in the same namespace.")
        }
    }
}
