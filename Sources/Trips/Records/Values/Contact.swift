import Events

/// Whom to turn to: the reception of a hotel, a guide, the driver of a transfer.
public struct Contact: Hashable, Sendable {
    public var name: String
    public var phone: String
    public var email: String
    /// The contact's role there, as in "reception".
    public var role: String
    /// Fields of the value that this version does not know, unchanged.
    package var unknownFields: [UInt8] = []

    /// A contact of which any part may be left out, but not all.
    public init(name: String = "", phone: String = "", email: String = "", role: String = "") {
        self.name = name
        self.phone = phone
        self.email = email
        self.role = role
    }

    private var texts: [String] { [name, phone, email, role] }
}

extension Contact: PartedValue {
    static var form: FieldForm { .data }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        self.init()
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: name = try reader.text(field, strictly: strictly)
            case 2: phone = try reader.text(field, strictly: strictly)
            case 3: email = try reader.text(field, strictly: strictly)
            case 4: role = try reader.text(field, strictly: strictly)
            default: unknownFields += try reader.skip(field)
            }
        }
    }

    var encodedValue: [UInt8]? {
        var writer = WireWriter(reservingCapacity: 64)
        for (index, text) in texts.enumerated() where !text.isEmpty { writer.string(UInt32(index + 1), text) }
        writer.raw(unknownFields)
        return writer.count == 0 ? nil : writer.finish()
    }

    func checkRules() throws(ValidationError) {
        try FieldRule.required.check(texts.joined())
        for part in texts { try part.checkRules() }
    }

    /// As in "Maria, reception, +351 210 000 000".
    var text: String { [name, role, phone, email].filter { !$0.isEmpty }.joined(separator: ", ") }

    var json: JSONValue {
        .object(["name": .string(name), "phone": .string(phone), "email": .string(email), "role": .string(role)])
    }

    static var lastPart: UInt32 { 4 }
}
