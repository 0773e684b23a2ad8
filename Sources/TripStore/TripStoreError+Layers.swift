import EventLog
import Events
import LMDBFormat
import LogExchange
import Platform
import ProjectionEngine
import Trips

/// What of the layers below comes out at the library's calls. A code has the name that the layer gives it, but for the few that would
/// say something else up here, so that nothing is lost on the way; `cause` is the error itself.
extension TripStoreError.Code {
    // MARK: What is written

    /// A value breaks a rule: `field` and `entity` say whose; the cause is a `ValidationError`, whose code names the rule.
    public static let invalidValue = Self(rawValue: "invalidValue")
    /// An undo or redo of several commits was stopped after some: see `IncompleteUndoError`.
    public static let incompleteUndo = Self(rawValue: "incompleteUndo")
    /// A commit is larger than a commit may be.
    public static let commitTooLarge = Self(rawValue: "commitTooLarge")
    /// The store was opened for reading alone.
    public static let readOnly = Self(rawValue: "readOnly")
    /// The store was closed.
    public static let closed = Self(rawValue: "closed")
    /// It is not known whether the change was written: open the store again, or try again with the same append id.
    public static let outcomeUnknown = Self(rawValue: "outcomeUnknown")
    /// The machine's clock shows a time that no commit may bear.
    public static let clockOutOfRange = Self(rawValue: "clockOutOfRange")

    // MARK: Views

    /// The views are being built: wait for `catchUp()`, or try again.
    public static let beingBuilt = Self(rawValue: "beingBuilt")
    /// There are no views to read: none can be built through a store that is open for reading, or to build them failed.
    public static let notBuilt = Self(rawValue: "notBuilt")
    /// A row of the views cannot be read: build them anew.
    public static let viewsDamaged = Self(rawValue: "viewsDamaged")
    /// The log under the views was erased in part since, or counts otherwise: they are being built anew.
    public static let outdated = Self(rawValue: "outdated")
    /// There is no view of that name.
    public static let unknownView = Self(rawValue: "unknownView")
    /// A projection could not make rows, or made rows that cannot be kept.
    public static let projectionFailed = Self(rawValue: "projectionFailed")

    // MARK: Members

    /// The replica may not write, or not what was asked for: it is no member, has a lower role or was revoked.
    public static let notAMember = Self(rawValue: "notAMember")
    /// A statement about members would have no effect, or not the one that was meant.
    public static let noEffect = Self(rawValue: "noEffect")
    /// A text is no code of an invitation, or of one of another journal.
    public static let wrongInvitation = Self(rawValue: "wrongInvitation")

    // MARK: Exchanges

    /// The two belong to different journals, or a store has another one than was asked for.
    public static let otherJournal = Self(rawValue: "otherJournal")
    /// The offer of another replica does not pass the checks.
    public static let rejected = Self(rawValue: "rejected")
    /// The offer of another replica was written far in the future, by this machine's clock: one of the two is wrong.
    public static let implausibleTime = Self(rawValue: "implausibleTime")
    /// More was offered than a replica takes in from others.
    public static let quotaExceeded = Self(rawValue: "quotaExceeded")
    /// The offered commits follow commits that are missing here, as in a bundle for a replica that holds more.
    public static let missingStart = Self(rawValue: "missingStart")
    /// The other did not send what it had announced.
    public static let withheld = Self(rawValue: "withheld")
    /// The connection ended too soon.
    public static let cut = Self(rawValue: "cut")
    /// The requesting replica is no member, holds no invitation, or speaks for another.
    public static let notAuthorized = Self(rawValue: "notAuthorized")
    /// The other refused, and said why.
    public static let refused = Self(rawValue: "refused")
    /// The other takes nothing in.
    public static let notWritable = Self(rawValue: "notWritable")
    /// A store cannot exchange with itself.
    public static let sameStore = Self(rawValue: "sameStore")
    /// The other speaks, or a bundle has, a version that is not known here.
    public static let newerVersion = Self(rawValue: "newerVersion")
    /// The message of the other replica cannot be read, or makes no sense.
    public static let malformed = Self(rawValue: "malformed")
    /// A bundle is cut off, or its checksum is wrong.
    public static let damagedBundle = Self(rawValue: "damagedBundle")
    /// Bytes are packed by an algorithm whose library this system lacks.
    public static let unavailableCompression = Self(rawValue: "unavailableCompression")
    /// A text names no frontier.
    public static let invalidFrontier = Self(rawValue: "invalidFrontier")
    /// Nothing is known of a replica.
    public static let unknownReplica = Self(rawValue: "unknownReplica")
    /// A file of another kind is there already: name another, or replace it.
    public static let fileExists = Self(rawValue: "fileExists")
    /// A file could not be written or read.
    public static let unusableFile = Self(rawValue: "unusableFile")

    // MARK: Attachments

    /// An attachment has more bytes than it may have.
    public static let attachmentTooLarge = Self(rawValue: "attachmentTooLarge")
    /// The bytes of an attachment are not here.
    public static let missingContent = Self(rawValue: "missingContent")
    /// The file with an attachment's bytes was altered.
    public static let damagedContent = Self(rawValue: "damagedContent")

    // MARK: The store's files

    /// Stored bytes are not what was once written: restore the store from a replica or a backup.
    public static let damaged = Self(rawValue: "damaged")
    /// The log is gone, and this machine knows that its replica has written.
    public static let logLost = Self(rawValue: "logLost")
    /// The store was made by a version that writes a format unknown here.
    public static let newerFormat = Self(rawValue: "newerFormat")
    /// The replica's key could not be read or written.
    public static let keyUnusable = Self(rawValue: "keyUnusable")
    /// A file or folder is not there.
    public static let missing = Self(rawValue: "missing")
    /// The process may not read or write there, or the medium is read-only.
    public static let notPermitted = Self(rawValue: "notPermitted")
    /// The medium has no room left.
    public static let diskFull = Self(rawValue: "diskFull")
    /// A read or write of the medium failed.
    public static let inputOutput = Self(rawValue: "inputOutput")
    /// The folder lies on a network file system, where memory maps and locks do not hold.
    public static let networkFileSystem = Self(rawValue: "networkFileSystem")
    /// This process has the store open in a way that excludes this use.
    public static let alreadyOpen = Self(rawValue: "alreadyOpen")
    /// The process was forked after the store was opened.
    public static let forked = Self(rawValue: "forked")
    /// A read or a write was begun inside of a read of the same views.
    public static let nested = Self(rawValue: "nested")
}

extension TripStoreError {
    /// What a layer below threw; nil for what is none of theirs: a cancellation, or an app's own error.
    init?(_ error: any Error) {
        switch error {
        case let error as TripStoreError: self = error
        case let error as ValidationError:
            self.init(.invalidValue, "\(error)", entity: error.entity, field: error.field, cause: error)
        case let error as EventLogError: self.init(Code(rawValue: error.code.rawValue), "\(error)", cause: error)
        case let error as ExchangeError: self.init(Code(rawValue: error.code.rawValue), "\(error)", cause: error)
        case let error as StorageError: self.init(Code(rawValue: error.code.rawValue), "\(error)", cause: error)
        case let error as ContentError: self.init(Code(rawValue: error.code.rawValue), "\(error)", cause: error)
        case let error as OutputError:
            self.init(error.code == .occupied ? .fileExists : .unusableFile, "\(error)", cause: error)
        case let error as ProjectionError:
            self.init(
                error.code == .damaged ? .viewsDamaged : Code(rawValue: error.code.rawValue), "\(error)", cause: error)
        case let error as ProjectionFault:
            self.init(.projectionFailed, "\(error)", entity: error.entity, cause: error)
        case let error as PredicateFailure:
            self.init(.predicateFailed, "\(error)", entity: error.entity, cause: error.cause)
        case let error as StructureDamage: self.init(.damaged, "\(error)", cause: error)
        case let error as WireError:
            self.init(.damaged, "Stored bytes cannot be read (\(error)). Verify the log.", cause: error)
        default: return nil
        }
    }

    /// Runs what a call of the library does: what a layer below throws comes out as a `TripStoreError` with that as its cause.
    /// A `CancellationError`, and what is thrown by a closure of the app's, comes out as it is.
    @inline(__always)
    static func wrap<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch { throw TripStoreError(error) ?? error }
    }

    /// The same for what waits.
    @inline(__always)
    static func wrapAsync<T>(
        isolation actor: isolated (any Actor)? = #isolation, _ body: () async throws -> T
    ) async throws -> T {
        do { return try await body() } catch { throw TripStoreError(error) ?? error }
    }
}
