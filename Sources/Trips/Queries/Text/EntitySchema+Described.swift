import Events

extension EntitySchema {
    /// An app's field that only a log describes, for reading its values; nil if none does, or with a type that this version does not know.
    func described(_ number: UInt64) -> Field? {
        OwnFieldRegistry.shared.description(ConcreteKind(self), number).flatMap { Field(described: $0) }
    }

    /// An app's kind as logs describe it, with the fields that its app declares and those that others have added.
    static func described(_ kind: OwnKind) -> EntitySchema {
        // Others may have written any number, and schemas are arrays by number.
        let fields = OwnFieldRegistry.shared.descriptions(of: ConcreteKind(kind))
            .filter { 1...OwnKindField.highestNumber ~= $0.number }.sorted { $0.number < $1.number }
        return EntitySchema(
            .own, kind.name, fields.compactMap { Field(described: $0) }, of: DescribedEntity.self, own: kind,
            isOpen: true)
    }
}

extension EntitySchema.Field {
    /// A field of which nothing is known but a description: its values are kept by number, so nothing is stored in a property.
    convenience init(described field: FieldDescription, _ type: any FieldValue.Type) {
        let collection =
            field.shape == .value ? nil : CollectionForm(shape: field.shape, keyType: field.keyType.values)
        self.init(
            number: field.number, name: field.name, help: nil, rules: EntitySchema.FieldRules(type, nil),
            storage: .none, collection: collection)
    }

    /// Nil for a type that this version does not know.
    convenience init?(described field: FieldDescription) {
        guard let type = field.type.values else { return nil }
        self.init(described: field, type)
    }
}
