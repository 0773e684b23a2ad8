package import Events

/// The fields that another replaces, and how their values are read as its own.
///
/// A field shows the latest of the writes to it and to the fields that it replaces, clearing included; of several in one commit its own.
/// That is a function of the registers alone, so all replicas whose app has the field show the same value.
struct FormerFields: Sendable {
    struct Source: Sendable {
        let number: UInt64
        /// What the replaced field itself replaced.
        let former: FormerFields?
    }

    /// The newest write to a field. Its value is nil if it cleared the field. Orders are compared within one entity alone.
    typealias Reading<Order: Comparable> = (order: Order, value: [UInt8]?)

    /// What a field shows.
    struct Shown<Order: Comparable> {
        /// The order of the write that it comes from, and the field to which that was.
        let order: Order
        let origin: UInt64
        let value: [UInt8]?
    }

    let sources: [Source]
    /// The bytes of the new field's value from those of the old ones, in their order; nil where they mean none. Pure and total.
    let upgrade: @Sendable ([[UInt8]?]) -> [UInt8]?
    /// What a write of the new field writes to the old ones as well, in their order; nil if those are left alone.
    let downgrade: (@Sendable ([UInt8]?) -> [[UInt8]?])?

    /// The numbers of all fields that are read for it.
    var numbers: [UInt64] { sources.flatMap { [$0.number] + ($0.former?.numbers ?? []) } }

    /// The numbers as they are nested: "3,4<(1)".
    var words: String {
        sources.map { source in "\(source.number)" + (source.former.map { "<(\($0.words))" } ?? "") }
            .joined(separator: ",")
    }

    /// What a field with this number shows; nil if nothing was ever written.
    func shown<Order>(_ number: UInt64, _ register: (UInt64) -> Reading<Order>?) -> Shown<Order>? {
        let own = register(number).map { Shown(order: $0.order, origin: number, value: $0.value) }
        let old = sources.map { source -> Shown<Order>? in
            if let former = source.former { return former.shown(source.number, register) }
            return register(source.number).map { Shown(order: $0.order, origin: source.number, value: $0.value) }
        }
        guard let newest = old.compactMap({ $0 }).max(by: { $0.order < $1.order }),
            own.map({ $0.order < newest.order }) ?? true
        else { return own }
        let values = old.map { $0?.value.flatMap { $0.isEmpty ? nil : $0 } }
        let upgraded = values.allSatisfy { $0 == nil } ? nil : upgrade(values)
        return Shown(order: newest.order, origin: newest.origin, value: upgraded.flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension FormerFields? {
    /// A field with this number, and what it replaced, as what another replaces.
    func source(_ number: UInt64) -> FormerFields.Source { FormerFields.Source(number: number, former: self) }
}

/// A field that replaces others, for code that meets kinds and fields as numbers.
package struct EvolvedField: Sendable {
    package let number: UInt64
    let former: FormerFields

    /// The numbers of the fields that are read for it.
    package var formerNumbers: [UInt64] { former.numbers }

    /// The value that it shows, and the field to which that was written, where `register` returns the order and the value of the newest write to a
    /// field; nil if there was none.
    package func shown<Order: Comparable>(
        _ register: (UInt64) -> (order: Order, value: [UInt8]?)?
    ) -> (origin: UInt64, value: [UInt8]?)? {
        former.shown(number, register).map { ($0.origin, $0.value) }
    }
}

extension EntityReference {
    /// The fields of its kind that replace others, as far as a store knows them.
    package func evolvedFields(in known: KnownSchema?) -> [EvolvedField] {
        guard let schema = known.declared.schema(of: self) else { return [] }
        return (schema.evolved + schema.evolvedOwn).compactMap { field in
            field.former.map { EvolvedField(number: field.number, former: $0) }
        }
    }

    /// A field that replaces others; nil if it replaces none.
    package func evolvedField(_ number: UInt64, in known: KnownSchema?) -> EvolvedField? {
        known.declared.schema(of: self)?.field(number)?.former.map { EvolvedField(number: number, former: $0) }
    }
}

/// A field of an earlier version of an app that others may replace: an ``OwnField``, or a ``FormerField`` of a kind's schema.
public protocol ReplaceableField<Entity, Value>: Sendable {
    associatedtype Entity: TripEntity
    associatedtype Value: OwnFieldValue

    /// The field as an ``Upcaster`` reads it.
    var replaced: ReplacedField { get }
}

/// A field that another replaced, with those that it had replaced itself.
public struct ReplacedField: Sendable {
    let source: FormerFields.Source
    /// The field and those before it, if it is one of an app's kind.
    let fields: [EntitySchema.Field]
}

extension OwnField: ReplaceableField {
    public var replaced: ReplacedField { ReplacedField(source: former.source(number), fields: []) }
}

/// A field that an app's kind had in earlier versions, and that others replaced: without a property, and with the number and the type that
/// it always had. The page "Evolving a schema" of TripStore has an example.
public struct FormerField<Entity: OwnEntity, Value: OwnFieldValue>: ReplaceableField {
    private let field: EntitySchema.Field
    private let earlier: [EntitySchema.Field]

    /// - Parameters:
    ///   - number: in the log, as the field always had it.
    ///   - name: for histories, and for the tool: another than that of the field which replaces it.
    ///   - upcaster: what it had replaced itself.
    public init(_ number: UInt16, _ name: String, replacing upcaster: Upcaster<Entity, Value>? = nil) {
        precondition(
            UInt64(number) != FieldPath.parent.field,
            "The former field '\(name)' has the number 2, which is the parent's. A parent is not replaced.")
        upcaster?.check(UInt64(number), name)
        field = EntitySchema.Field(
            number: UInt64(number), name: name, help: nil, rules: EntitySchema.FieldRules(Value.coding.type, nil),
            storage: .none, former: upcaster?.former)
        earlier = upcaster?.fields ?? []
    }

    public var replaced: ReplacedField {
        ReplacedField(source: field.former.source(field.number), fields: [field] + earlier)
    }
}
