package import Events

/// A field that replaces others, for code that meets kinds and fields as numbers.
package struct EvolvedField: Sendable {
    package let number: UInt64
    let former: FormerFields

    /// The numbers of the fields that are read for it.
    package var formerNumbers: [UInt64] { former.numbers }

    /// What it shows, and the field to which that was written, where `register` returns the order and the value of the newest write to a
    /// field; nil if there was none.
    package func shown<Order: Comparable>(
        _ register: (UInt64) -> (order: Order, value: [UInt8]?)?
    ) -> (origin: UInt64, value: [UInt8]?)? {
        former.shown(number) { field in register(field).map { FormerFields.Reading(order: $0.order, value: $0.value) } }
            .map { ($0.origin, $0.value) }
    }
}

extension EntityReference {
    /// The fields of its kind that replace others, as far as this process knows them.
    package var evolvedFields: [EvolvedField] {
        let fields = (schema?.evolved ?? []) + OwnFieldRegistry.shared.evolved(ConcreteKind(self))
        return fields.compactMap { field in field.former.map { EvolvedField(number: field.number, former: $0) } }
    }

    /// One of them; nil if the field is none.
    package func evolvedField(_ number: UInt64) -> EvolvedField? {
        schema?.field(number)?.former.map { EvolvedField(number: number, former: $0) }
    }
}
