import Events

/// The type of a field's value: its bytes, as the log has them, and its text.
protocol FieldValue: OwnFieldValue {
    /// Reads the bytes of a value. `strictly` refuses what a reader would repair: text that is not UTF-8.
    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError)

    /// The bytes, equal for equal values; nil if the value counts as cleared.
    var encodedValue: [UInt8]? { get }

    /// The bytes of a value that counts as cleared, where it is an element of a collection or the value of an app's field.
    static var clearedBytes: [UInt8] { get }

    /// As queries compare it.
    var ordered: OrderedValue { get }

    /// The same from the bytes of a field; nil if it is cleared or cannot be read. Types with a quicker way than decoding have their own.
    static func ordered(_ bytes: UnsafeRawBufferPointer?) -> OrderedValue?

    /// Whether another value has the same bytes. Types with a quicker way than encoding both have their own.
    func isSame(as other: Self) -> Bool

    /// For people.
    var text: String { get }

    var json: JSONValue { get }

    /// A cleared field in the JSON of an entity.
    static var clearedJSON: JSONValue { get }

    /// How people write values.
    static var form: FieldForm { get }

    /// Checks the rules of the type: they hold for values that this replica writes, never for what peers wrote.
    func checkRules() throws(ValidationError)

    /// Checks the bytes of a value as strictly as they can be read.
    static func check(_ bytes: UnsafeRawBufferPointer) throws(WireError)

    /// Fast path: whether the bytes of a value are certainly well-formed and break no rule of the type, found without decoding them.
    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Whether values have parts, some of which this version may not know.
    static var hasParts: Bool { get }

    /// Whether the bytes of a value may have parts unknown to this version; checked without decoding.
    static func mayHaveUnknownParts(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Copies the parts of another value that this version does not know, unless this value has its own.
    mutating func keepUnknownParts(of other: Self)
}

/// A value of several parts, of which a newer version may write more.
protocol PartedValue: FieldValue {
    /// The number of the last part that this version knows.
    static var lastPart: UInt32 { get }

    /// The parts that it does not know, unchanged.
    var unknownFields: [UInt8] { get set }
}

extension PartedValue {
    static var hasParts: Bool { true }
    static func mayHaveUnknownParts(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.hasFields(beyond: lastPart) }
    mutating func keepUnknownParts(of other: Self) {
        if unknownFields.isEmpty { unknownFields = other.unknownFields }
    }
}

/// The type of a property that has a default of the type's where its field is cleared, and is not nil then.
protocol DefaultedFieldValue: FieldValue, FieldProperty where Value == Self {
    /// The default; it is not written.
    static var cleared: Self { get }
}

extension FieldValue {
    func checkRules() throws(ValidationError) {}

    func isSame(as other: Self) -> Bool { encodedValue == other.encodedValue }

    static var clearedJSON: JSONValue { .null }

    static var clearedBytes: [UInt8] { [] }

    var json: JSONValue { .string(text) }

    static func check(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        _ = try Self(encoded: bytes, strictly: true)
    }

    static func fastCheck(_ bytes: UnsafeRawBufferPointer) -> Bool { false }

    static var hasParts: Bool { false }
    static func mayHaveUnknownParts(_ bytes: UnsafeRawBufferPointer) -> Bool { hasParts }
    mutating func keepUnknownParts(of other: Self) {}

    /// The value of a field, or nil if it is cleared or malformed. No bytes are the same as cleared.
    @inline(__always)
    static func decoded(_ bytes: UnsafeRawBufferPointer?) -> Self? {
        guard let bytes, !bytes.isEmpty else { return nil }
        // `try?` would copy the value.
        do { return try Self(encoded: bytes, strictly: false) } catch { return nil }
    }

    static func check(_ bytes: [UInt8]) throws(WireError) {
        try bytes.withUnsafeBytes { bytes in Result { () throws(WireError) in try check(bytes) } }.get()
    }

    /// The value of an element, of which no bytes are a value as well.
    static func decodedElement(_ bytes: [UInt8]) -> Self? {
        bytes.withUnsafeBytes { bytes in
            do { return try Self(encoded: bytes, strictly: false) } catch { return nil }
        }
    }

    static func decoded(_ bytes: [UInt8]) -> Self? { bytes.withUnsafeBytes { decoded($0) } }

    /// The bytes of a new value with the unknown parts of the one that it replaces.
    static func keepingUnknownParts(of old: [UInt8], in new: [UInt8]) -> [UInt8] {
        guard old.withUnsafeBytes({ mayHaveUnknownParts($0) }), let old = decoded(old), var value = decoded(new) else {
            return new
        }
        let before = value
        value.keepUnknownParts(of: old)
        // Malformed content, which rewriting would lose, stays unchanged.
        return value == before ? new : value.encodedValue ?? new
    }
}

extension WireReader {
    /// A field's text: checked, or repaired with U+FFFD.
    mutating func text(_ field: Field, strictly: Bool) throws(WireError) -> String {
        try String(encoded: try bytes(field), strictly: strictly)
    }
}

extension UnsafeRawBufferPointer {
    /// The number in field 1 of a message, and in field 2 a name, as moments and amounts are: nil if it cannot be read, or if `isName` returns
    /// false. Of a field that occurs twice the last counts, and `isName` is called with each.
    @inline(__always)
    func number(named isName: (UnsafeRawBufferPointer) -> Bool) -> Int64? {
        var number: Int64 = 0
        var reader = WireReader(self)
        do throws(WireError) {
            while let field = try reader.next() {
                switch field.number {
                case 1: number = try reader.signed(field)
                case 2: guard isName(try reader.bytes(field)) else { return nil }
                default: try reader.skip(field)
                }
            }
        } catch { return nil }
        return number
    }

    /// Whether a message, or unreadable bytes in its place, has fields beyond a number. `nested` judges the bytes of
    /// one field.
    func hasFields(beyond last: UInt32, nested: (UInt32, UnsafeRawBufferPointer) -> Bool = { _, _ in false }) -> Bool {
        var reader = WireReader(self)
        do throws(WireError) {
            while let field = try reader.next() {
                if field.number > last { return true }
                if field.type == .delimited {
                    if nested(field.number, try reader.bytes(field)) { return true }
                } else {
                    try reader.skip(field)
                }
            }
        } catch { return true }
        return false
    }
}
