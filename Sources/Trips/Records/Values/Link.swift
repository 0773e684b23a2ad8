import Events

/// An address on the web, and what people call it.
public struct Link: Hashable, Sendable {
    /// Kept as written: whether it can be opened is the app's to find out.
    public var url: String
    /// Empty if it has none.
    public var title: String
    /// Fields of the value that this version does not know, unchanged.
    package var unknownFields: [UInt8] = []

    public init(_ url: String, title: String = "") {
        self.url = url
        self.title = title
    }
}

extension Link: PartedValue {
    static var form: FieldForm { .data }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        self.init("")
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: url = try reader.text(field, strictly: strictly)
            case 2: title = try reader.text(field, strictly: strictly)
            default: unknownFields += try reader.skip(field)
            }
        }
    }

    var encodedValue: [UInt8]? {
        var writer = WireWriter(reservingCapacity: 64)
        for (number, text) in [(1, url), (2, title)] where !text.isEmpty { writer.string(UInt32(number), text) }
        writer.raw(unknownFields)
        return writer.count == 0 ? nil : writer.finish()
    }

    func checkRules() throws(ValidationError) {
        try FieldRule.required.check(url)
        for part in [url, title] { try part.checkRules() }
    }

    var text: String { title.isEmpty ? url : "\(title) <\(url)>" }

    var json: JSONValue { .object(["url": .string(url), "title": .string(title)]) }

    static var lastPart: UInt32 { 2 }
}
