public import Foundation

/// An error that explains itself to people in sentences: what happened, why, and what to do. Programs decide by its code and its values.
public protocol ExplainedError: LocalizedError, CustomStringConvertible {
    /// All sentences; `description` by default.
    var explanation: String { get }
}

extension ExplainedError {
    public var explanation: String { description }

    /// The first sentence of the explanation: the failure, with the values.
    public var errorDescription: String? { ErrorText(explanation).happened }

    /// Why it happened, and what a layer below said; nil if the first sentence says it all.
    public var failureReason: String? { ErrorText(explanation).reason }

    /// The sentences of the explanation that advise what to do; nil if nothing can be done.
    public var recoverySuggestion: String? { ErrorText(explanation).advice }
}

/// The sentences of an error by what they are for. After the first one, sentences that state something say why, and from the first that
/// asks for something they say what to do. Parentheses at the end hold what a layer below said.
package struct ErrorText: Hashable, Sendable {
    package let happened: String
    package let reason: String?
    package let advice: String?

    /// The words that a statement begins with.
    private static let statements: Set<Substring> = [
        "A", "All", "An", "Each", "Its", "It", "No", "Nothing", "Of", "That", "The", "There", "These", "They", "This",
        "What",
    ]

    package init(_ text: String) {
        let (message, cause) = Self.cause(in: text)
        var rest = Self.sentences(of: message)[...]
        happened = rest.popFirst() ?? message
        let asked = rest.firstIndex { !Self.statements.contains($0.prefix { $0.isLetter }) } ?? rest.endIndex
        let reasons = rest[..<asked] + (cause.map { [$0] } ?? [])
        reason = reasons.isEmpty ? nil : reasons.joined(separator: " ")
        advice = asked == rest.endIndex ? nil : rest[asked...].joined(separator: " ")
    }

    /// The first sentence, and those after it. A value in quotes is part of its sentence, whatever it has, as in "the name 'St. Mary'".
    package static func firstSentence(of text: String) -> (first: String, rest: String?) {
        let characters = Array(text)
        var quote: Character?
        for index in characters.indices {
            let (character, next) = (characters[index], characters.dropFirst(index + 1).first)
            if character == quote {
                if endsQuote(next) { quote = nil }
            } else if quote == nil, character == "'" || character == "\"" {
                let isFirst = index == 0 || " (".contains(characters[index - 1])
                let rest = characters.indices.dropFirst(index + 1)
                if isFirst,
                    rest.contains(where: {
                        characters[$0] == character && endsQuote(characters.dropFirst($0 + 1).first)
                    })
                {
                    quote = character
                }
            } else if quote == nil, character == ".", next == " ", let after = characters.dropFirst(index + 2).first,
                "A"..."Z" ~= after || after == "'" || after == "\""
            {
                return (String(characters[...index]), String(characters[(index + 2)...]))
            }
        }
        return (text, nil)
    }

    private static func endsQuote(_ next: Character?) -> Bool { next.map { " .,:;?!)".contains($0) } ?? true }

    private static func sentences(of text: String) -> [String] {
        var sentences: [String] = []
        var rest: String? = text
        while let text = rest {
            let (first, following) = firstSentence(of: text)
            sentences.append(first)
            rest = following
        }
        return sentences
    }

    /// The text without the parentheses that end it, and what is in them.
    private static func cause(in text: String) -> (message: String, cause: String?) {
        guard text.hasSuffix(")") else { return (text, nil) }
        var depth = 0
        for index in text.indices.reversed() {
            if text[index] == ")" { depth += 1 }
            if text[index] == "(" { depth -= 1 }
            guard depth == 0 else { continue }
            let message = text[..<index]
            guard message.hasSuffix(". ") else { break }
            return (String(message.dropLast()), String(text[text.index(after: index)...].dropLast()))
        }
        return (text, nil)
    }
}

/// Bytes that the protobuf wire format, or the expected message, does not allow.
public struct WireError: ExplainedError, Sendable, Hashable {
    /// A description of the fault and its position, in words.
    public let description: String

    public init(_ description: String) { self.description = description }
}
