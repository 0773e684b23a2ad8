package import Events

extension EntityReference {
    /// The numbers of the fields with a name: one that is declared or described, and those that it replaced. Empty if a
    /// store knows none.
    package func fields(named name: String, in known: KnownSchema?) -> Set<UInt64> {
        var found: Set<UInt64> = []
        for field in declaredFields(in: known) where field.name == name {
            found.insert(field.number)
            found.formUnion(field.former?.numbers ?? [])
        }
        for field in describedFields(in: known) where field.name == name { found.insert(field.number) }
        return found
    }

    /// The names of all fields, in the order of their numbers.
    package func fieldNames(in known: KnownSchema?) -> [String] {
        let declared = declaredFields(in: known).map { ($0.number, $0.name) }
        let described = describedFields(in: known).map { ($0.number, $0.name) }
        let names = Dictionary(described + declared) { $1 }.sorted { $0.key < $1.key }.map(\.value)
        return names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }

    /// Whether an entity of the kind cannot be without the field.
    package func requires(field number: UInt64, in known: KnownSchema?) -> Bool {
        known.declared.schema(of: self)?.field(number)?.rules.isRequired ?? false
    }

    private func declaredFields(in known: KnownSchema?) -> [EntitySchema.Field] {
        known.declared.schema(of: self).map { $0.ordered + $0.added } ?? []
    }

    private func describedFields(in known: KnownSchema?) -> [FieldDescription] {
        (known?.descriptions(of: ConcreteKind(self)) ?? []).filter { $0.number > 0 }
    }
}
