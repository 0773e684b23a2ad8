public import Events
import Foundation

/// A question in words that cannot be read: what is wrong with it, and at which character.
public struct QueryTextError: ExplainedError, Hashable, Sendable {
    /// The kind of mistake; its raw value is the same in every version. New codes may be added.
    public enum Code: String, Sendable {
        /// Words in an order that the grammar does not have.
        case syntax = "querySyntax"
        /// A field that the kind does not have.
        case unknownField
        /// A kind that there is not, or of which nothing belongs to the entities that are asked for.
        case unknownKind
        /// A field or a kind of a name that those of several apps have.
        case ambiguousField = "ambiguous"
        /// An operator that fields of the type do not have.
        case unfitOperator
        /// A value that is none of the field's type.
        case unfitValue
        /// A text that is too long, or has too many parentheses in each other.
        case tooLarge = "queryTooLarge"
    }

    /// Which kind.
    public let code: Code
    /// The fault and what to write instead, for people.
    public let message: String
    /// The text that cannot be read.
    package let text: String
    /// The offset in the text, in characters, of what is wrong: the number of characters where something is missing at the end.
    public let position: Int

    /// `offset` counts Unicode scalars.
    init(_ code: Code, _ message: String, in text: String, at offset: Int) {
        self.code = code
        self.message = message
        self.text = text
        let scalars = text.unicodeScalars
        let index = scalars.index(scalars.startIndex, offsetBy: offset, limitedBy: scalars.endIndex) ?? scalars.endIndex
        position = text.distance(from: text.startIndex, to: index)
    }

    static func twice(_ name: String, in text: String, at offset: Int) -> QueryTextError {
        QueryTextError(.syntax, "'\(name)' is named twice. Leave one of them out.", in: text, at: offset)
    }

    public var explanation: String { message }

    /// The message, and below it `excerpt`.
    public var description: String { "\(message)\n\(excerpt)" }

    /// The line of the text that has the character, at most 72 characters of it, and below the character a caret. Control characters are
    /// spaces.
    public var excerpt: String { excerpt { _ in 1 } }

    /// The same for a terminal, on which characters take some columns.
    package func excerpt(columns: (Character) -> Int) -> String {
        let characters = Array(text)
        let at = min(position, characters.count)
        let start = (characters[..<at].lastIndex(where: \.isNewline) ?? -1) + 1
        let end = characters[at...].firstIndex(where: \.isNewline) ?? characters.count
        let first = max(start, min(at - 48, end - 72))
        let last = min(end, first + 72)
        let shown = characters[first..<last].map { character in
            character.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : character
        }
        let indent = String(repeating: " ", count: shown.prefix(at - first).reduce(0) { $0 + columns($1) })
        return "  \(String(shown))\n  \(indent)^"
    }
}
