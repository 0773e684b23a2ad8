import Events

/// The kinds and fields that the store describes in its own namespace.
///
/// They are declared when a store is opened, not by the schemas of trips and items: a process that reads neither needs none of them.
package enum StoreKinds {
    /// The kinds, in the order in which tools list them.
    package static let all: [any OwnEntity.Type] = [
        Traveller.self, Budget.self, Checklist.self, ChecklistEntry.self, AttachedFile.self,
    ]

    /// The description of each kind and field.
    package static let descriptions: [FieldDescription] = fields.flatMap(\.fieldDescriptions)

    /// Registers them in this process, for names, rules and questions in words.
    package static func declare() { _ = fields }

    /// The type of a kind; nil for a kind of an app.
    package static func type(of kind: OwnKind) -> (any OwnEntity.Type)? {
        guard kind.isOfStore else { return nil }
        return all.first { $0.storeKind == kind }
    }

    /// One of the kinds by its name; nil if there is none.
    package static func kind(named name: String) -> OwnKind? { all.first { $0.kindName == name }?.storeKind }

    private static let fields: [any DescribedField] =
        [Traveller.schema, Budget.schema, Checklist.schema, ChecklistEntry.schema, AttachedFile.schema]
        + [
            OwnSet<Trip, Traveller.ID>(declaring: .travellers), OwnField<Trip, Bool>(declaring: .isTemplate),
        ] + itemFields(of: Activity.self) + itemFields(of: Lodging.self) + itemFields(of: Transportation.self)

    private static func itemFields<Item: ItemEntity>(of item: Item.Type) -> [any DescribedField] {
        [
            OwnSet<Item, Traveller.ID>(declaring: .participants), OwnField<Item, Traveller.ID>(declaring: .payer),
            OwnField<Item, CostSplit.Mode>(declaring: .split),
            OwnMap<Item, Traveller.ID, Int>(declaring: .parts) { $0 >= 0 },
            OwnMap<Item, Traveller.ID, Money>(declaring: .amounts),
        ]
    }
}

extension OwnEntity {
    fileprivate static var storeKind: OwnKind? { schema.ownKind }
}

// MARK: Declarations

extension OwnField {
    /// Registers a field of the store's own namespace.
    fileprivate init(declaring field: StoreField) {
        self.init(field, OwnDeclaration(declaring: field, of: Entity.self, Value.self, nil))
    }

    /// A field that `StoreKinds` registers: nothing is looked up.
    init(_ field: StoreField) { self.init(field, OwnDeclaration(field)) }

    private init(_ field: StoreField, _ declaration: OwnDeclaration) {
        self.declaration = declaration
        former = nil
    }
}

extension OwnSet {
    fileprivate init(declaring field: StoreField) {
        declaration = OwnDeclaration(
            declaring: field, of: Entity.self, Element.self, CollectionForm(shape: .set))
    }

    /// A field that `StoreKinds` registers: nothing is looked up.
    init(_ field: StoreField) { declaration = OwnDeclaration(field) }
}

extension OwnMap {
    fileprivate init(declaring field: StoreField, isValid: (@Sendable (Value) -> Bool)? = nil) {
        declaration = OwnDeclaration(
            declaring: field, of: Entity.self, Value.self, CollectionForm(shape: .map, keyType: Key.coding.type),
            isValid)
    }

    /// A field that `StoreKinds` registers: nothing is looked up.
    init(_ field: StoreField) { declaration = OwnDeclaration(field) }
}
