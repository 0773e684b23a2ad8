public import Events
import Foundation
import Trips

/// An error of a store, which refused or could not do something: all that its calls throw, but for a `CancellationError`, what an app's
/// own closures throw, and `IncompleteUndoError`, which carries what was done.
///
/// What a layer below threw is the `cause`: the log's, the views', the exchange's or the medium's error, or a `ValidationError` of
/// a value. Values by themselves, such as `Money(parsing:_:)`, throw `ValidationError`; carriers of an app's own get
/// `ExchangeError` from `LogExchange`.
public struct TripStoreError: ExplainedError, Sendable {
    public let code: Code
    /// One or two sentences: what was wrong, with the values, and what to do.
    public let message: String
    /// The entity at fault, if it is one.
    public let entity: EntityReference?
    /// The name of the field at fault, if it is one.
    public let field: String?
    /// For a version conflict: the expected version and the current one.
    public let versions: (expected: EntityVersion, found: EntityVersion)?
    /// The error of a layer below, if there was one; the message tells of it.
    public let cause: (any Error)?

    package init(
        _ code: Code, _ message: String, entity: EntityReference? = nil, field: String? = nil,
        versions: (expected: EntityVersion, found: EntityVersion)? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.entity = entity
        self.field = field
        self.versions = versions
        self.cause = cause
    }

    public var description: String { message }

    /// Whether what reads the views goes on by itself.
    package var isPassing: Bool { code == .beingBuilt || code == .suspended }

    static func unfinished(_ folder: URL) -> TripStoreError {
        TripStoreError(
            .noStore,
            "There is no store at \(folder.path) yet: its creation was cut off, and nothing was stored. Opening it for "
                + "writing begins it.")
    }

    static func unknown(_ entity: EntityReference, in known: KnownSchema?) -> TripStoreError {
        TripStoreError(
            .unknownEntity, "There is no \(entity.words(in: known)). Check the id, or create it first.",
            entity: entity)
    }

    static func deleted(_ entity: EntityReference, in known: KnownSchema?) -> TripStoreError {
        TripStoreError(
            .deleted, "The \(entity.words(in: known)) was deleted. Restore it first.", entity: entity)
    }
}

extension EntityReference {
    /// The kind's name and the id, for messages.
    func words(in known: KnownSchema?) -> String {
        "\(kindName(in: known) ?? "entity of kind \(kind.rawValue)") \(id.uuidString)"
    }
}
