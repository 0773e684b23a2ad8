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
    /// The kind of failure, for code that decides what to do next. New codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The folder is in use for something else.
        public static let notAStore = Code(rawValue: "notAStore")
        /// There is no store at the path.
        public static let noStore = Code(rawValue: "noStore")
        /// The entity was never created here.
        public static let unknownEntity = Code(rawValue: "unknownEntity")
        /// The entity was deleted.
        public static let deleted = Code(rawValue: "deleted")
        /// An entity with that id, or a subscription of that name, exists already.
        public static let alreadyExists = Code(rawValue: "alreadyExists")
        /// The entity is not deleted, so it cannot be restored.
        public static let notDeleted = Code(rawValue: "notDeleted")
        /// An entity names a parent that is missing or deleted; some kinds of parents have codes of their own.
        public static let unknownParent = Code(rawValue: "unknownParent")
        /// The entity to delete has a child whose kind denies it.
        public static let stillNeeded = Code(rawValue: "stillNeeded")
        /// A parent that belongs to the entity itself, or has too many ancestors.
        public static let unusableParent = Code(rawValue: "unusableParent")
        /// The entity is not in the version that the caller expected.
        public static let versionConflict = Code(rawValue: "versionConflict")
        /// The log has no commit at the position.
        public static let unknownPosition = Code(rawValue: "unknownPosition")
        /// There is nothing that could be undone or redone.
        public static let nothingToUndo = Code(rawValue: "nothingToUndo")
        /// The conflict was resolved since.
        public static let conflictResolved = Code(rawValue: "conflictResolved")
        /// There is no such conflict.
        public static let unknownConflict = Code(rawValue: "unknownConflict")
        /// A subscription of that name is running, or the name is unusable.
        public static let subscriptionUnusable = Code(rawValue: "subscriptionUnusable")
        /// There is no subscription of that name.
        public static let unknownSubscription = Code(rawValue: "unknownSubscription")
        /// The position that a subscription acknowledged last is not in this log, as after a restored copy.
        public static let subscriptionOfOtherLog = Code(rawValue: "subscriptionOfOtherLog")
        /// The append id belongs to a commit with other events.
        public static let appendIDReused = Code(rawValue: "appendIDReused")
        /// An append id names one commit, and the operation may write several.
        public static let appendIDUnusable = Code(rawValue: "appendIDUnusable")
        /// A backup cannot be made there.
        public static let backupRefused = Code(rawValue: "backupRefused")
        /// The copy made for a backup does not verify.
        public static let backupUnsound = Code(rawValue: "backupUnsound")
        /// There is nothing to write.
        public static let nothingToWrite = Code(rawValue: "nothingToWrite")
        /// A page's cursor is invalid, or belongs to another query.
        public static let invalidCursor = Code(rawValue: "invalidCursor")
        /// The app's own projections have equal names, or there are none.
        public static let invalidProjections = Code(rawValue: "invalidProjections")
        /// A draft and the state that it began with have different ids.
        public static let differentEntities = Code(rawValue: "differentEntities")
        /// The other store shares this one's journal: exchange with it instead.
        public static let nothingToAdopt = Code(rawValue: "nothingToAdopt")
        /// An option or a parameter would have no effect together with the others.
        public static let unusableOption = Code(rawValue: "unusableOption")
        /// A query that no index serves would look at more entities than it allows.
        public static let needsIndex = Code(rawValue: "needsIndex")
        /// The predicate of a query cannot be evaluated for an entity.
        public static let predicateFailed = Code(rawValue: "predicateFailed")
        /// The question of a search is too long.
        public static let questionTooLong = Code(rawValue: "questionTooLong")
    }

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
