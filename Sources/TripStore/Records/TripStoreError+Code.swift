extension TripStoreError {
    /// The kind of failure, for code that decides what to do next. Later versions may add some.
    ///
    /// Errors of the layers below keep the name that their layer gives them, with few exceptions; `cause` is the error itself.
    public enum Code: String, Sendable {
        /// The folder is in use for something else.
        case notAStore
        /// There is no store at the path.
        case noStore
        /// The entity was never created here.
        case unknownEntity
        /// The entity was deleted.
        case deleted
        /// An entity with that id, or a subscription of that name, exists already.
        case alreadyExists
        /// The entity is not deleted, so it cannot be restored.
        case notDeleted
        /// The parent of an entity is missing or deleted: one of the kind that every store lists.
        case unknownTrip
        /// The parent of an entity is missing or deleted: one of any other kind.
        case unknownParent
        /// The entity to delete has a child whose kind denies it: the error's `entity`, of which `Book.ID(_:)` and the like make the typed id.
        /// Of several it is the one with the lowest id; the message counts the others.
        case stillNeeded
        /// A parent that belongs to the entity itself, or has too many ancestors.
        case unusableParent
        /// The entity is not in the version that the caller expected.
        case versionConflict
        /// The log has no commit at the position.
        case unknownPosition
        /// There is nothing that could be undone or redone.
        case nothingToUndo
        /// The conflict was resolved since.
        case conflictResolved
        /// There is no such conflict.
        case unknownConflict
        /// A subscription of that name is running, or the name is unusable.
        case subscriptionUnusable
        /// There is no subscription of that name.
        case unknownSubscription
        /// The position that a subscription acknowledged last is not in this log, as after a restored copy.
        case subscriptionOfOtherLog
        /// The append id belongs to a commit with other events.
        case appendIDReused
        /// An append id names one commit, and the operation may write several.
        case appendIDUnusable
        /// A backup cannot be made there.
        case backupRefused
        /// The copy made for a backup does not verify.
        case backupUnsound
        /// There is nothing to write.
        case nothingToWrite
        /// A page's cursor is invalid, or belongs to another query.
        case invalidCursor
        /// The app's own projections have equal names, or there are none.
        case invalidProjections
        /// A draft and the state that it began with have different ids.
        case differentEntities
        /// The other store shares this one's journal: exchange with it instead.
        case nothingToAdopt
        /// An option or a parameter would have no effect together with the others.
        case unusableOption
        /// A query that no index serves would look at more entities than it allows.
        case needsIndex
        /// The predicate of a query cannot be evaluated for an entity.
        case predicateFailed
        /// The question of a search is too long.
        case questionTooLong

        // MARK: What is written

        /// A value breaks a rule: `field` and `entity` say whose; the cause is a `ValidationError`, whose code names the rule.
        case invalidValue
        /// An undo or redo of several commits was stopped after some: see `IncompleteUndoError`.
        case incompleteUndo
        /// A commit is larger than a commit may be.
        case commitTooLarge
        /// A field's path has a key of more bytes than a key may have.
        case keyTooLong
        /// The store was opened for reading alone.
        case readOnly
        /// The store was closed.
        case closed
        /// The store is suspended: nothing was written. Try again when it was resumed.
        case suspended
        /// It is not known whether the change was written: open the store again, or try again with the same append id.
        case outcomeUnknown
        /// The machine's clock shows a time that no commit may bear.
        case clockOutOfRange
        /// The bytes cannot be erased: only their author and administrators may erase them.
        case notErasable

        // MARK: Views

        /// The views are being built: wait for `catchUp()`, or try again.
        case beingBuilt
        /// There are no views to read: none can be built through a store that is open for reading, or to build them failed.
        case notBuilt
        /// A row of the views cannot be read: build them anew.
        case viewsDamaged
        /// The log under the views was erased in part since, or counts otherwise: they are being built anew.
        case outdated
        /// There is no view of that name.
        case unknownView
        /// A projection could not make rows, or made rows that cannot be kept.
        case projectionFailed
        /// A view, or the exchange of an attachment, failed: the message says why.
        case failed

        // MARK: Members

        /// The replica may not write, or not what was asked for: it is no member, has a lower role or was revoked.
        case notAMember
        /// A statement about members would have no effect, or not the one that was meant.
        case noEffect
        /// A text is no code of an invitation, or of one of another journal.
        case wrongInvitation
        /// The replica was revoked.
        case revoked
        /// The other side says that the replica was revoked, and shows no commit that did it.
        case unproven
        /// The replica asked for membership, and nobody granted it yet.
        case needsGrant

        // MARK: Exchanges

        /// The two belong to different journals, or a store has another one than was asked for.
        case otherJournal
        /// The offer of another replica does not pass the checks.
        case rejected
        /// The offer of another replica was written far in the future, by this machine's clock: one of the two is wrong.
        case implausibleTime
        /// More was offered than a replica takes in from others.
        case quotaExceeded
        /// The offered commits follow commits that are missing here, as in a bundle for a replica that holds more.
        case missingStart
        /// The other did not send what it had announced.
        case withheld
        /// The other sent commits that it had not announced, or announced known ones without an end.
        case unannounced
        /// The other no longer keeps what the request goes on from: begin again.
        case notKept
        /// The connection ended too soon.
        case cut
        /// The requesting replica is no member, holds no invitation, or speaks for another.
        case notAuthorized
        /// The other refused, and said why.
        case refused
        /// The other takes nothing in.
        case notWritable
        /// A store cannot exchange with itself.
        case sameStore
        /// The other speaks, or a bundle has, a version that is not known here.
        case newerVersion
        /// The message of the other replica cannot be read, or makes no sense.
        case malformed
        /// A bundle is cut off, or its checksum is wrong.
        case damagedBundle
        /// Bytes are packed by an algorithm whose library this system lacks.
        case unavailableCompression
        /// A text names no frontier.
        case invalidFrontier
        /// Nothing is known of a replica.
        case unknownReplica
        /// A file of another kind is there already: name another, or replace it.
        case fileExists
        /// A file could not be written or read.
        case unusableFile
        /// A replica that already has many branches has written another one.
        case tooManyBranches
        /// A frontier names more heads, or a request more commits, than allowed.
        case tooManyHeads
        /// The other store is empty, and joins no journal that is pushed to it.
        case empty
        /// One of the replicas has a new identity since the connection was opened: open another.
        case identityChanged

        // MARK: Networks

        /// The address is not that of a server.
        case wrongAddress
        /// No host has the name, or names cannot be resolved now.
        case noSuchHost
        /// Nothing listens at the address, or no route leads there.
        case notReachable
        /// There was no answer in time, or the store could not be suspended in time.
        case timedOut
        /// The server uses no TLS, an old version of it, or another protocol.
        case notAHub
        /// The server's certificate is not the trusted one.
        case notTrusted
        /// The server's certificate is not valid at this time. Its operator can renew it.
        case certificateExpired
        /// A certificate or a key cannot be used.
        case unusableCertificate
        /// The address to listen on is taken, or not of this machine.
        case cannotListen

        // MARK: Attachments

        /// An attachment has more bytes than it may have.
        case attachmentTooLarge
        /// The bytes of an attachment are not here.
        case missingContent
        /// The file with an attachment's bytes was altered.
        case damagedContent
        /// A replica sent other bytes than the attachment names.
        case wrongBytes
        /// Another process stores the same attachment now: try again.
        case contentBusy

        // MARK: The store's files

        /// Stored bytes are not what was once written: restore the store from a replica or a backup.
        case damaged
        /// The log is gone, and this machine knows that its replica has written.
        case logLost
        /// The store was made by a version that writes a format unknown here.
        case newerFormat
        /// The replica's key could not be read or written.
        case keyUnusable
        /// A file or folder is not there.
        case missing
        /// The process may not read or write there, or the medium is read-only.
        case notPermitted
        /// The medium has no room left.
        case diskFull
        /// A read or write of the medium failed.
        case inputOutput
        /// The folder lies on a network file system, where memory maps and locks do not hold.
        case networkFileSystem
        /// This process has the store open in a way that excludes this use.
        case alreadyOpen
        /// The process was forked after the store was opened.
        case forked
        /// A read or a write was begun inside of a read of the same views.
        case nested
        /// The folder holds files that are no log.
        case notALog
        /// The creation of a file was cut off: opening it for writing creates it again.
        case unfinished
        /// A key of the store's database is empty, or longer than a key may be.
        case badKey
        /// The memory map is full and could not be grown.
        case mapFull
        /// The process may use no more memory, or no more addresses.
        case noMemory
        /// Every reader slot is taken by a running process.
        case readersFull
        /// Two kinds of locks disagree on whether a process has the store open.
        case locksLost
        /// The version of the LMDB library has another file format.
        case unsupportedVersion
        /// Anything else: the message says what, and `cause` may have a code of its own.
        case other

        /// The code of that name of a layer below, or of an app's transport; `other` for an unknown one.
        init(layer name: String) { self = Code(rawValue: name) ?? .other }
    }
}
