/// A value that is encoded as its text, in JSON and the like.
public protocol TextCoded: Codable, LosslessStringConvertible {}

extension TextCoded {
    /// Decodes the text. Throws `DecodingError` for one that names no such value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text.prefix(100))' names nothing of that kind")
        }
        self = value
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
