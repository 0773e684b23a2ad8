public import Events
import Foundation

/// A refused request: what was wrong, with which values, and what to do.
public struct ValidationError: ExplainedError, Hashable, Sendable {
    /// The kind of rule that was broken; its raw value is the same in every version. New codes may be added.
    public enum Code: String, Sendable {
        /// A name without a visible character.
        case emptyName
        /// An end before the start.
        case endBeforeStart
        /// A zone that this platform does not know.
        case unknownTimeZone
        /// A code that ISO 4217 does not have.
        case unknownCurrency
        /// Text that is no exact amount in its currency.
        case invalidAmount
        /// Degrees beyond the globe.
        case invalidCoordinates
        /// Text that names no day of the calendar.
        case invalidDay
        /// Days of which the last is before the first, or that are too many.
        case invalidRange
        /// Text that names no time.
        case invalidTime
        /// An instant outside of the years 1 to 9999.
        case dateOutOfRange
        /// Text of more than 1 MiB.
        case tooLong
        /// An entity that names no parent, and must.
        case missingParent = "missingTrip"
        /// A field of an app's own kind that must have a value and has none.
        case missingValue
        /// A value of an app's own field that the app's rule does not allow.
        case brokenRule
        /// Bytes that are no value of the field.
        case malformedValue
        /// A field that the kind does not have.
        case unknownField
        /// A kind of entity that this version does not know.
        case unknownKind
        /// A verb that this version does not know.
        case unknownVerb
    }

    /// Which rule.
    public let code: Code
    /// One or two sentences for people, with the values in question.
    public let message: String
    /// The entity in question, where there is one.
    public internal(set) var entity: EntityReference?
    /// The name of the field in question, where there is one.
    public internal(set) var field: String?
    /// The name of the entity's kind where it was checked.
    private let kind: String?

    /// For rules of layers above, too: `message` says what was wrong, with which values, and what to do.
    package init(_ code: Code, _ message: String, entity: EntityReference? = nil, field: String? = nil) {
        self.init(code, message, entity: entity, field: field, of: nil)
    }

    init(_ code: Code, _ message: String, entity: EntityReference?, field: String?, of kind: String?) {
        self.code = code
        self.message = message
        self.entity = entity
        self.field = field
        self.kind = kind
    }

    /// The entity and the field, then the message.
    public var description: String {
        let place = [entity.map { "\(kind ?? $0.kindName ?? "kind \($0.kind.rawValue)") \($0.id)" }, field]
        let named = place.compactMap { $0 }.joined(separator: ", ")
        return named.isEmpty ? message : "\(named): \(message)"
    }

    /// `advice` says what a field of the store's own may have; nil for an app's, whose rule is not known in words.
    static func brokenRule(_ value: String, of field: String, _ advice: String?) -> ValidationError {
        let value = value.prefix(100)
        return ValidationError(
            .brokenRule,
            advice.map { "\(value) is no value of '\(field)'. \($0)" }
                ?? "\(value) is not allowed by the app's rule for '\(field)'. Give another value.")
    }

    static func endBeforeStart(_ start: String, _ end: String) -> ValidationError {
        ValidationError(
            .endBeforeStart, "The end \(end) is before the start \(start). Move one of them, or change both at once.")
    }

    static func unknownTimeZone(_ zone: String) -> ValidationError {
        ValidationError(
            .unknownTimeZone,
            "\"\(zone.prefix(100))\" is no time zone known here. Use an IANA name, such as Europe/Lisbon.")
    }

    static func unknownCurrency(_ currency: Currency) -> ValidationError {
        ValidationError(
            .unknownCurrency,
            "\"\(currency.code.prefix(100))\" is no currency of ISO 4217. Use a code of three letters, such as EUR.")
    }
}
