public import Events

/// What a person or a program asked for and cannot have: what was wrong, with which values, and what to do.
public struct ValidationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of rule was broken. New codes may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, the same in every version.
        public let description: String

        public static let emptyName = Code(description: "emptyName")
        public static let endBeforeStart = Code(description: "endBeforeStart")
        public static let unknownTimeZone = Code(description: "unknownTimeZone")
        public static let unknownCurrency = Code(description: "unknownCurrency")
        public static let invalidAmount = Code(description: "invalidAmount")
        public static let invalidCoordinates = Code(description: "invalidCoordinates")
        /// An instant outside of the years 1 to 9999.
        public static let dateOutOfRange = Code(description: "dateOutOfRange")
        /// Text of more than 1 MiB.
        public static let tooLong = Code(description: "tooLong")
        /// An item that names no trip.
        public static let missingTrip = Code(description: "missingTrip")
        /// Bytes that are no value of the field.
        public static let malformedValue = Code(description: "malformedValue")
        public static let unknownField = Code(description: "unknownField")
        public static let unknownKind = Code(description: "unknownKind")
        public static let unknownVerb = Code(description: "unknownVerb")
    }

    public let code: Code
    /// One or two sentences for people, with the values in question.
    public let message: String
    /// The entity in question, where there is one.
    public internal(set) var entity: EntityReference?
    /// The name of the field in question, where there is one.
    public internal(set) var field: String?

    public init(_ code: Code, _ message: String, entity: EntityReference? = nil, field: String? = nil) {
        self.code = code
        self.message = message
        self.entity = entity
        self.field = field
    }

    /// The entity and the field, then the message.
    public var description: String {
        let place = [entity.map { "\($0.kind.name ?? "kind \($0.kind.rawValue)") \($0.id)" }, field]
        let named = place.compactMap { $0 }.joined(separator: ", ")
        return named.isEmpty ? message : "\(named): \(message)"
    }

    static func unknownCurrency(_ currency: Currency) -> ValidationError {
        ValidationError(
            .unknownCurrency, "\"\(currency)\" is no currency of ISO 4217. Use its code of three letters, such as EUR.")
    }
}
