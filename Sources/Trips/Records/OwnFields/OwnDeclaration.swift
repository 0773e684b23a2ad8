import Events

internal import struct Crypto.SHA256

/// A field that an app has declared on a kind of entity: an `OwnField`, `OwnSet`, `OwnMap`, `OwnList` or `OwnCounter`.
protocol DeclaredField<Entity>: SchemaPart {
    associatedtype Entity: TripEntity

    var field: EntitySchema.Field { get }

    /// A field that is declared already.
    init(_ field: EntitySchema.Field)
}

extension DeclaredField {
    public var declared: DeclaredPart { DeclaredPart(kind: Entity.schema.erased, field: field) }

    /// The number in the log.
    var number: UInt64 { field.number }

    /// The declaration, for a query that names the field.
    var asDeclared: DeclaredFields { DeclaredFields(fields: [field]) }

    /// Stops the program if the declaration is none that any store can know.
    init<Value: OwnFieldValue>(
        declaring number: UInt16, in namespace: Namespace, _ name: String, _ type: Value.Type,
        _ collection: CollectionForm? = nil, former: FormerFields? = nil, isSearched: Bool = false,
        isValid: (@Sendable (Value) -> Bool)? = nil
    ) {
        precondition(
            namespace != .store,
            "The own field '\(name)' is in the namespace '\(namespace.name)', which is the store's. Take a domain of yours, "
                + "backwards.")
        precondition(
            number > 0, "The own field '\(name)' has the number 0. Number the fields of a namespace from 1 on.")
        let field = EntitySchema.Field(namespace, number, name, type, collection, former: former, isValid: isValid)
        self.init(isSearched ? field.searched() : field)
    }
}

/// The particulars of a field in a namespace: its values, and the elements of a collection, are among `OwnValues`.
struct OwnRow: Sendable {
    let namespace: Namespace
    /// The name of the type with which it is declared.
    let declaredType: String
    /// Whether the log describes it from its first use on, and people see it where it is written; others are shown with the fields of the
    /// schema.
    let isDescribed: Bool
    /// Its value in JSON where it is cleared.
    let clearedJSON: JSONValue
    /// The values that a field of the store's own may have, in words: others are refused, also those that do not read as one of the type.
    let advice: String?
}

extension EntitySchema.Field {
    /// A field in a namespace; `collection` is nil for one of one value.
    convenience init<Value: OwnFieldValue>(
        _ namespace: Namespace, _ number: UInt16, _ name: String, _ type: Value.Type,
        _ collection: CollectionForm? = nil, isNullified: Bool = false, isDescribed: Bool = true,
        clearedJSON: JSONValue? = nil, former: FormerFields? = nil, search: SearchField? = nil, advice: String? = nil,
        help: FieldHelp? = nil, isValid: (@Sendable (Value) -> Bool)? = nil
    ) {
        let coding = Value.coding
        let row = OwnRow(
            namespace: namespace, declaredType: String(reflecting: type), isDescribed: isDescribed,
            clearedJSON: clearedJSON ?? coding.type.clearedJSON, advice: advice)
        // An app's value that does not read is of a newer version of the app.
        let isReadable: @Sendable ([UInt8]) -> Bool = { coding.decoded($0) != nil }
        self.init(
            number: namespace.number(number), name: name, help: help,
            rules: EntitySchema.FieldRules(coding.type, nil),
            isAllowed: coding.rule(isValid) ?? (advice == nil ? nil : isReadable), storage: .none, own: row,
            collection: collection, isNullified: isNullified, former: former, isReadable: coding.isReadable,
            search: search)
    }
}

/// The name under which an app numbers its own fields, so that apps that share a journal do not collide: a domain that is the
/// app's, backwards, as in `org.example.reading`. The store's own namespace is taken: a field in it stops the program.
///
/// In the log a field of a namespace is one number: the first 5 bytes of the SHA-256 of the name, in UTF-8, then the number that the
/// app gave it in 2 bytes. So an old version, or a store whose app is not here, merges, keeps and forwards it like any other.
public struct Namespace: Hashable, Sendable, ExpressibleByStringLiteral {
    package let name: String
    private let hash: UInt64

    public init(_ name: String) {
        self.name = name
        let digest = SHA256.hash(data: Array(name.utf8))
        let hash = digest.prefix(5).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        // 0 would be the store's own numbers, so a hash of 0 counts as 1.
        self.hash = max(hash, 1)
    }

    public init(stringLiteral name: String) { self.init(name) }

    /// A number of the namespace as the log has it.
    func number(_ number: UInt16) -> UInt64 { hash << 16 | UInt64(number) }
}

extension FieldPath {
    /// An app's field without its schema: the hash of the namespace in hexadecimal digits, and the number in it, as in
    /// `2f9a04c117.3`; nil for a field of the store's own schema.
    package static func ownName(of field: UInt64) -> String? {
        guard field > highestBuiltIn else { return nil }
        return "\((field >> 16).bigEndianBytes.suffix(5).hexadecimal).\(field & 0xFFFF)"
    }
}
