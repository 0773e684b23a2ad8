import EventLog
import Events
import Foundation
import HubDatabase
import LogExchange
import Platform
import ProjectionEngine
import TravelingSnails
import TripFormats
import TripStore

/// An error as the tool tells it.
struct ErrorReport {
    /// Names the kind of failure, for programs.
    let code: String
    /// What went wrong, with the values.
    let message: String
    /// What to do, or more of what is known; nil where the message is all.
    let hint: String?
    /// Of a question in words, the character that is wrong, counted from 0.
    let position: Int?

    /// Of a command line that is none.
    init(usage message: String) {
        self.init("usage", message.hasPrefix("Error: ") ? String(message.dropFirst("Error: ".count)) : message)
    }

    init(_ error: any Error) {
        if let error = error as? QueryTextError {
            self.init(error.code.rawValue, error.message, at: error.position)
        } else {
            self.init(Self.code(of: error), Self.text(of: error))
        }
    }

    /// The error's own text, and the command that does what it advises.
    static func text(of error: any Error) -> String {
        command(for: (error as? TripStoreError)?.cause ?? error).map { "\(error.systemText) \($0)" } ?? error.systemText
    }

    /// Names the command, which the layers below the tool do not know.
    private static func command(for error: any Error) -> String? {
        switch error {
        case let error as EventLogError where error.code == .damaged: "'tripstore audit verify' names every fault."
        case let error as StorageError where error.code == .damaged: "'tripstore audit verify' names every fault."
        case let error as ProjectionError where [.damaged, .notBuilt].contains(error.code):
            "'tripstore replay' builds them."
        case let error as ContentError where error.code == .damaged: "'tripstore sync --heal' does that."
        case let error as DumpError where error.code == .notADump: "'tripstore dump' writes one."
        case let error as TripStoreError: command(for: error.code)
        default: nil
        }
    }

    private static func command(for code: TripStoreError.Code) -> String? {
        switch code {
        case .backupUnsound: "'tripstore audit verify' says whether it does."
        case .unknownSubscription, .subscriptionOfOtherLog:
            "'tripstore tail --subscription NAME --from start|end|POSITION' does that."
        default: nil
        }
    }

    private init(_ code: String, _ text: String, at position: Int? = nil) {
        self.code = code
        self.position = position
        // Errors say in the first sentence what was wrong, and then what to do.
        (message, hint) = ErrorText.firstSentence(of: text.onThisStore)
    }

    private static func code(of error: any Error) -> String {
        switch error {
        case let error as CommandError: error.code
        case let error as TripStoreError: code(of: error)
        case let error as ValidationError: error.code.rawValue
        case let error as ExchangeError: error.code.rawValue
        case let error as EventLogError: error.code.rawValue
        case let error as ProjectionError: error.code.rawValue
        case let error as StorageError: error.code.rawValue
        case let error as ExportError: error.code.rawValue
        case let error as DumpError: error.code.rawValue
        case let error as DatabaseError: error.code.rawValue
        case let error as TextFormatError: error.code.rawValue
        case let error as IncompleteUndoError: error.code.rawValue
        case is CancellationError: "cancelled"
        default: "failed"
        }
    }

    /// The cause's code for a broken rule, for views, and where the store has no code for the cause.
    private static func code(of error: TripStoreError) -> String {
        guard let cause = error.cause else { return error.code.rawValue }
        return cause is ValidationError || cause is ProjectionError || error.code == .other
            ? code(of: cause) : error.code.rawValue
    }

    var json: JSON {
        .object([
            (
                "error",
                .object([
                    ("code", .string(code)), ("message", .string(message)), ("hint", .optional(hint)),
                    ("position", .optional(position)),
                ])
            )
        ])
    }
}

extension Error {
    /// A broken rule without the id that an entity would have got; other errors as they are.
    var ofNewEntity: any Error {
        guard let rule = (self as? TripStoreError)?.cause as? ValidationError else { return self }
        return CommandError(rule.message, code: rule.code.rawValue)
    }
}

/// A mistake that only a command line can have.
package struct CommandError: Error, CustomStringConvertible {
    /// Names the kind of failure, for programs.
    let code: String
    package let description: String

    package init(_ description: String, code: String = "failed") {
        self.code = code
        self.description = description
    }
}
