import Events

/// A field whose type of value the schema knows.
protocol SchemaField: EntityField {
    var valueType: any FieldValue.Type { get }

    /// Whether the rules for this field read other fields too: for a start the end, for an end the start.
    var isJudgedWithOthers: Bool { get }

    /// Whether it is the name.
    var isName: Bool { get }

    /// Whether an entity must have it.
    var isRequired: Bool { get }
}

extension SchemaField {
    var isRequired: Bool { isName }
}

/// What this version knows of a kind of entity, for code that meets kinds and fields as numbers.
///
/// A class, so that handing one out copies nothing.
final class EntitySchema: Sendable {
    struct Field: Sendable {
        let number: UInt32
        let name: String
        let rules: FieldRules

        var type: any FieldValue.Type { rules.type }
    }

    /// The rules of a field's values. Nothing in it is reference-counted: reading it costs next to nothing.
    struct FieldRules: Sendable {
        let type: any FieldValue.Type
        let isName: Bool
        let isRequired: Bool
    }

    let kind: EntityKind
    let name: String
    let fields: [Field]
    /// By field number; nil where there is no field.
    private let rulesByNumber: [FieldRules?]
    let requiredCount: Int
    /// The numbers of the start and the end, if there are any.
    let span: (start: UInt32, end: UInt32)?
    /// Whether the fast path knows all rules of the kind: only the rule on start and end reads several fields.
    let hasFastPath: Bool
    /// Checks the rules of an entity with an event applied; the closure returns the value that a field has before.
    let validate: @Sendable (TripEvent, (UInt32) -> [UInt8]?) throws(ValidationError) -> Void

    private init<Entity: TripEntity>(_ type: Entity.Type, _ name: String) where Entity.Field: SchemaField {
        self.kind = type.kind
        self.name = name
        let fields = type.fields.map {
            Field(
                number: $0.rawValue, name: type.name(of: $0),
                rules: FieldRules(type: $0.valueType, isName: $0.isName, isRequired: $0.isRequired))
        }
        self.fields = fields
        let highest = fields.map(\.number).max() ?? 0
        self.rulesByNumber = (0...highest).map { number in fields.first { $0.number == number }?.rules }
        self.requiredCount = type.fields.count { $0.isRequired }
        let span = type.fields.filter(\.isJudgedWithOthers).map(\.rawValue)
        self.span = span.count == 2 ? (start: span[0], end: span[1]) : nil
        self.hasFastPath = span.isEmpty || span.count == 2
        self.validate = { event, held throws(ValidationError) in
            let changed = event.verb == .created ? Entity.fieldSet : Entity.fields(of: event)
            if changed.isEmpty { return }
            var entity = Entity(id: Identifier<Entity>(event.entity.id))
            // Fields that no rule reads need not be decoded.
            let isWholeNeeded = event.verb == .created
            if isWholeNeeded || changed.contains(where: \.isJudgedWithOthers) {
                for field in Entity.fields where isWholeNeeded || field.isJudgedWithOthers {
                    if let value = held(field.rawValue) { entity.decode(field, value) }
                }
            }
            entity.write(event)
            try entity.validate(changing: changed)
        }
    }

    static let all: [EntitySchema] = [
        EntitySchema(Trip.self, "trip"),
        EntitySchema(Activity.self, "activity"),
        EntitySchema(Lodging.self, "lodging"),
        EntitySchema(Transportation.self, "transportation"),
        EntitySchema(Organization.self, "organization"),
    ]

    /// By kind number; nil where there is no kind.
    private static let byNumber: [EntitySchema?] = {
        let highest = all.map(\.kind.rawValue).max() ?? 0
        return (0...highest).map { number in all.first { $0.kind.rawValue == number } }
    }()

    static func of(_ kind: EntityKind) -> EntitySchema? {
        let number = Int(kind.rawValue)
        return number < byNumber.count ? byNumber[number] : nil
    }

    func field(_ number: UInt32) -> Field? {
        // They are numbered from 1 on, mostly without gaps.
        let index = Int(number) - 1
        if fields.indices.contains(index), fields[index].number == number { return fields[index] }
        return fields.first { $0.number == number }
    }

    /// The rules of a field's values; nil if there is no such field.
    func rules(_ number: UInt32) -> FieldRules? {
        let index = Int(number)
        return index < rulesByNumber.count ? rulesByNumber[index] : nil
    }
}
