import Events

/// What this version knows of a kind of entity, for code that meets kinds and fields as numbers.
///
/// A class, so that handing one out copies nothing.
final class EntitySchema: Sendable {
    /// A class, for lists of fields are walked for each entity that is read, checked or compared.
    final class Field: Sendable {
        let number: UInt64
        let name: String
        /// What the tool says of the option for the field; nil if there is none.
        let help: FieldHelp?
        let rules: FieldRules
        /// An app's rule: whether it allows the value in some bytes.
        let isAllowed: (@Sendable ([UInt8]) -> Bool)?
        let storage: FieldStorage
        /// The particulars of a field in a namespace; nil for one of a kind's schema.
        let own: OwnRow?
        /// The form of a field that has elements; nil for one of one value.
        let collection: CollectionForm?
        /// The bytes of the value that a property has where the field is cleared, if that is another than its type has.
        let cleared: [UInt8]?
        /// Of an app's field that names the parent.
        let parentRule: ParentRule
        /// Whether it reads as nil, or without an element, while what it or the element names is deleted.
        let isNullified: Bool
        /// Of an app's field that replaces others.
        let former: FormerFields?
        /// Whether an app's property has a value for some bytes; nil if it has for all of the type.
        let isReadable: (@Sendable (UnsafeRawBufferPointer) -> Bool)?
        /// The kind of text that searches find in it; nil if they do not look at it.
        let search: SearchField?

        init(
            number: UInt64, name: String, help: FieldHelp?, rules: FieldRules,
            isAllowed: (@Sendable ([UInt8]) -> Bool)? = nil, storage: FieldStorage, own: OwnRow? = nil,
            collection: CollectionForm? = nil, cleared: [UInt8]? = nil,
            parentRule: ParentRule = .cascade, isNullified: Bool = false, former: FormerFields? = nil,
            isReadable: (@Sendable (UnsafeRawBufferPointer) -> Bool)? = nil, search: SearchField? = nil
        ) {
            self.number = number
            self.name = name
            self.help = help
            self.rules = rules
            self.isAllowed = isAllowed
            self.storage = storage
            self.own = own
            self.collection = collection
            self.cleared = cleared
            self.parentRule = parentRule
            self.isNullified = isNullified
            self.former = former
            self.isReadable = isReadable
            self.search = search
        }

        func with(help: FieldHelp?, search: SearchField?) -> Field {
            Field(
                number: number, name: name, help: help, rules: rules, isAllowed: isAllowed, storage: storage, own: own,
                collection: collection, cleared: cleared, parentRule: parentRule, isNullified: isNullified,
                former: former, isReadable: isReadable, search: search)
        }

        /// The field, at which full-text searches look. A field without text stops the program.
        func searched() -> Field {
            precondition(type is String.Type, "The field '\(name)' is \(type), and searches look at text alone.")
            return with(help: help, search: .ofApp)
        }

        /// "String", "set of String".
        var declared: String {
            guard let collection else { return "\(type)" }
            let keys = collection.keyType.map { "\($0) to " } ?? ""
            return "\(collection.shape) of \(keys)\(type)"
        }

        /// Of the values; of a collection, of its elements.
        var type: any FieldValue.Type { rules.type }

        /// The type of the value at a path of the field; nil where there can be none.
        func valueType(at path: FieldPath) -> (any FieldValue.Type)? {
            guard let collection else { return path.key.isEmpty ? type : nil }
            return collection.valueType(of: path.key, elements: type)
        }
    }

    let type: any TripEntity.Type
    let kind: EntityKind
    /// Which of the apps' kinds, and the namespace of its app.
    let own: OwnKind?
    let namespace: Namespace?
    let name: String
    /// In the order in which people read them, without those that others replaced and those in a namespace.
    let fields: [Field]
    /// Fields in a namespace. Of one of the store's own kinds those of the store's namespace, in the order in which people read them; as a store
    /// knows the kind (`DeclaredSchema`), then those of apps in the order of their numbers.
    let added: [Field]

    /// The fields as people see them in each entity: with those of the namespace that the log need not describe.
    var listed: [Field] { fields + added.filter { $0.own?.isDescribed == false } }
    /// Of an app's kind, those that others replaced.
    let formerFields: [Field]
    /// In the order of their numbers: that of the log, of checks, and of lists of changes.
    let ordered: [Field]
    /// By field number; nil where there is no field.
    private let rulesByNumber: [FieldRules?]
    /// The same, for decoding.
    private let decoders: [Decoder]

    /// A field without a reference count: each that is read would begin and end with one. Sound: the schema keeps its fields.
    private struct Decoder: Sendable {
        /// Nil where there is no field.
        let field: Unmanaged<Field>?
    }

    /// Sets an app's own field, whose write has that index among those of the record.
    private let decodeOwn: @Sendable (UnsafeMutableRawPointer, FieldPath, UnsafeRawBufferPointer?, Int) -> Void
    /// Which parents its entities may have, and what becomes of them without.
    let parents: ParentKinds
    let parentRule: ParentRule
    /// The flag with which an entity is in no list, as a template is; nil if all are listed.
    let unlisted: UInt64?
    /// The numbers of fields that read as nil while what they name is deleted. Those in a namespace are apart: queries read them as they are.
    let nullified: [UInt64]
    let nullifiedOwn: [UInt64]
    /// The fields of an app's kind that replace others, and all numbers that are read for them.
    let evolved: [Field]
    let evolvedNumbers: Set<UInt64>
    /// The fields in a namespace that replace others.
    let evolvedOwn: [Field]
    let requiredCount: Int
    /// From this number on fields are own values of the entity.
    let lowestOwn: UInt64
    /// The start and the end of the entity.
    let span: Span?
    /// That, and others that few entities have.
    let spans: [Span]

    init<Entity: TripEntity>(
        _ kind: EntityKind, _ name: String, _ fields: [Field], _ spans: [Span] = [], of type: Entity.Type,
        own: OwnKind? = nil, _ namespace: Namespace? = nil, former: [Field] = [], isOpen: Bool = false,
        unlisted: UInt64? = nil
    ) {
        self.type = type
        self.kind = kind
        self.own = own
        self.namespace = namespace
        let parent = fields.first { $0.number == FieldPath.parent.field }
        // A replica without the app, which does not know the field's type, must find the same parent.
        parents =
            switch parent?.type.form {
            case _ where kind.isNamespaced: .any
            case .reference(let kind): .one(kind)
            default: .none
            }
        parentRule = parent?.parentRule ?? .cascade
        self.unlisted = unlisted
        added = fields.filter { $0.own != nil }
        nullifiedOwn = added.filter(\.isNullified).map(\.number)
        let fields = fields.filter { $0.own == nil }
        nullified = fields.filter(\.isNullified).map(\.number)
        evolved = fields.filter { $0.former != nil }
        evolvedOwn = added.filter { $0.former != nil }
        evolvedNumbers = Set(evolved.flatMap { [$0.number] + ($0.former?.numbers ?? []) })
        lowestOwn = isOpen ? 1 : FieldPath.highestBuiltIn + 1
        self.name = name
        self.fields = fields
        formerFields = former
        let ordered = (fields + former).sorted { $0.number < $1.number }
        self.ordered = ordered
        let highest = ordered.last?.number ?? 0
        let byNumber = (0...highest).map { number in ordered.first { $0.number == number } }
        rulesByNumber = byNumber.map { field in
            var rules = field?.rules
            rules?.hasOwnRule = field?.isAllowed != nil
            rules?.isInSpan = spans.contains { $0.contains(field?.number ?? 0) }
            return rules
        }
        decoders = byNumber.map { Decoder(field: $0.map { .passUnretained($0) }) }
        // Sound: see `FieldStorage`.
        decodeOwn = { entity, path, value, order in
            entity.assumingMemoryBound(to: Entity.self).pointee.own.read(path, value.map { [UInt8]($0) }, order: order)
        }
        requiredCount = fields.count { $0.rules.isRequired }
        span = spans.first
        self.spans = spans
    }

    /// By kind number; nil where there is no kind.
    static let byNumber: [EntitySchema?] = {
        let highest = all.map(\.kind.rawValue).max() ?? 0
        return (0...highest).map { number in all.first { $0.kind.rawValue == number } }
    }()

    /// What is known of one of the store's own kinds.
    static func of(_ kind: EntityKind) -> EntitySchema? {
        let number = Int(kind.rawValue)
        return number < byNumber.count ? byNumber[number] : nil
    }

    /// The field of a number, one of the added among them; nil if there is none.
    func field(_ number: UInt64) -> Field? {
        if number > FieldPath.highestBuiltIn { return added.first { $0.number == number } }
        // They are numbered from 1 on, mostly without gaps.
        let index = Int(number) - 1
        if ordered.indices.contains(index), ordered[index].number == number { return ordered[index] }
        return ordered.first { $0.number == number }
    }

    /// The rules of a field's values; nil if there is no such field.
    func rules(_ number: UInt64) -> FieldRules? {
        // Compared before it is made an index: events that were made by hand may have any number.
        number < UInt64(rulesByNumber.count) ? rulesByNumber[Int(number)] : nil
    }

    /// Sets a field of an entity of this kind, if there is such a field, or an app's own field.
    @inline(__always)
    func decode(
        _ number: UInt64, _ value: UnsafeRawBufferPointer?, order: Int = 0, into entity: UnsafeMutableRawPointer
    ) {
        if number < UInt64(decoders.count) {
            decoders[Int(number)].field?._withUnsafeGuaranteedRef { $0.storage.decode(entity, value) }
        } else if number >= lowestOwn {
            decodeOwn(entity, FieldPath(field: number), value, order)
        }
    }

    /// Sets an element of an app's own field. No built-in field has elements.
    func decodeElement(
        _ number: UInt64, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?,
        into entity: UnsafeMutableRawPointer
    ) {
        guard number >= lowestOwn else { return }
        let path = FieldPath(field: number, key: [UInt8](key))
        // What is about to be added is no part of a record, whatever others write.
        if path.element != .ownShare { decodeOwn(entity, path, value, 0) }
    }
}
