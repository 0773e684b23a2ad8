import EventLog
public import Events
import Foundation

/// Something that is wrong or odd in a store, and what to do.
public struct StoreFinding: Sendable, Hashable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
        /// Something is lost, or does not work.
        case error
        /// Something is to be done, or will be lost.
        case warning
        /// Something is odd, and harmless as it is.
        case note
    }

    /// A kind of finding. Later versions may add further ones; a name never changes its meaning.
    public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
        // The log and its files.
        case cannotOpen, damagedLog, checkFailed, lostRecords, foreignRecords, unfinishedClone, nearlyFullDisk
        case strangeFile, leftover
        // Replicas.
        case lostKey, identityChange, manyIdentities, fork, strandedCommits, unsignedTail, clockAhead, clockBehind
        case waitingForMembership, revokedMembership, membershipRequest, missingBytes, lostBytes
        // Views.
        case viewsNotBuilt, viewsBehind, faultedViews, missingIndex, neededUpdate
        // Entities.
        case unfiledItem, unfiledEntity, duplicateTrip, endBeforeStart, reversedDays, farOutsideOfTrip, unknownZone
        // Attachments.
        case orphanedAttachment, missingContent, damagedContent, orphanedContent
    }

    public let code: Code
    /// The fault with its values, in words.
    public let message: String
    /// Advice on what to do, in words.
    public let remedy: String
    /// The entities that are concerned: first those that a repair changes.
    public let entities: [EntityReference]
    /// The replica that is concerned.
    public let replica: ReplicaID?
    /// The work of `TripStore.repair(_:by:)`, in words; nil if it leaves the finding to people.
    public let repair: String?

    init(
        _ code: Code, _ message: String, _ entities: [EntityReference] = [], replica: ReplicaID? = nil,
        repair: String? = nil, remedy: String? = nil
    ) {
        self.code = code
        // Errors of the system end without a full stop.
        self.message = message.hasSuffix(".") ? message : message + "."
        self.remedy = remedy ?? code.remedy
        self.entities = entities
        self.replica = replica
        self.repair = repair
    }

    public var severity: Severity { code.severity }

    public var description: String { "\(severity) \(code.rawValue): \(message)" }
}

extension StoreFinding.Code {
    /// How bad it is.
    package var severity: StoreFinding.Severity {
        switch self {
        case .cannotOpen, .damagedLog, .checkFailed, .lostRecords, .unfinishedClone, .revokedMembership, .faultedViews,
            .damagedContent, .lostBytes:
            .error
        case .foreignRecords, .nearlyFullDisk, .lostKey, .manyIdentities, .fork, .strandedCommits, .clockAhead,
            .clockBehind,
            .waitingForMembership, .unfiledItem, .unfiledEntity, .duplicateTrip, .endBeforeStart, .reversedDays,
            .unknownZone, .orphanedAttachment, .missingContent, .missingBytes, .neededUpdate:
            .warning
        case .strangeFile, .leftover, .identityChange, .unsignedTail, .membershipRequest, .viewsNotBuilt, .viewsBehind,
            .missingIndex, .farOutsideOfTrip, .orphanedContent:
            .note
        }
    }

    /// Advice on what to do about it, in words.
    package var remedy: String {
        switch self {
        case .cannotOpen:
            "Do what the message says. If the files are damaged, restore a backup, or clone another replica."
        case .damagedLog:
            "Keep a copy of the folder. Exchange with healing with a replica that has the commits, or restore a "
                + "backup and exchange with it."
        case .checkFailed: "Do what the message says, and run the check again."
        case .lostRecords:
            "Exchange with other replicas, which may have the commits. Remove the file when you have taken note."
        case .foreignRecords: "Put that state of the log back with the file as 'wal', or remove the file."
        case .unfinishedClone:
            "Clone or exchange with the same source again: it goes on where it stopped."
        case .nearlyFullDisk:
            "Make room, or move the store to another disk. Views that are rebuilt need room beside the old ones."
        case .strangeFile: "It is none of the store's. Move it elsewhere."
        case .leftover:
            "A transfer or an attachment was cut off. The store removes what is left of it when it is opened for writing, at the latest after 30 days."
        case .lostKey:
            "Put the file back, if you have it. Otherwise the store goes on as another replica with its next write."
        case .identityChange:
            "None, if the store was copied, restored or lost its key on purpose. Otherwise see that no other copy of it is written to."
        case .manyIdentities:
            "Write to one copy of the store alone, and clone it for others. Keep the folder with this user's records of replicas as long as "
                + "the store. See that the journal has a second admin."
        case .fork: "None for the data: all branches count. Do not write to a copy of a store: clone it instead."
        case .strandedCommits:
            "Adopt the journal's replicas from this store, or write the changes again: other replicas cannot have them."
        case .unsignedTail: "Exchange, or let the app close its store: both sign it."
        case .clockAhead: "Set the clock of that device. Its edits win over those of others until then."
        case .clockBehind: "Set the clock of that device."
        case .waitingForMembership:
            "Ask an admin for an invitation, or for membership, and exchange: until then its commits count here alone."
        case .revokedMembership: "Ask an admin, or clone the journal anew as another member."
        case .membershipRequest: "If you know the device, make it a member: 'grant'."
        case .missingBytes: "Exchange with a replica that has the bytes: any exchange puts them back."
        case .lostBytes:
            "Exchange with a replica that is not among the known peers, or restore a backup and exchange with it. If nobody has the bytes, an "
                + "admin accepts that: 'acceptLoss'."
        case .viewsNotBuilt: "Open the store for writing once, or rebuild them."
        case .viewsBehind: "None: they catch up when the store is opened."
        case .faultedViews: "Do what the message says; then rebuild them."
        case .missingIndex: "None: queries do without, and the store makes it with a later write."
        case .neededUpdate: "Update the program. What is written here until then counts, and goes on to others."
        case .unfiledItem:
            "Exchange with the replica that made what it belongs to, or move it to another."
        case .unfiledEntity: "Exchange with the replica that made its owner, restore that, or delete it."
        case .duplicateTrip: "Compare the two, and delete the one that is not needed."
        case .endBeforeStart: "Set the right time, or the right zone. Until then it counts as ending when it starts."
        case .reversedDays: "Swap the first and the last day."
        case .farOutsideOfTrip: "Correct its days, or those of what it belongs to, or move it to another."
        case .unknownZone: "Set a zone of the IANA database. Until then its times are shown in UTC."
        case .orphanedAttachment:
            "Exchange with the replica that made its owner, restore that, or delete the attachment."
        case .missingContent:
            "Exchange with a replica that has the bytes, with healing if they were here before."
        case .damagedContent: "Exchange with a replica that has the bytes, with healing."
        case .orphanedContent: "None: an exchange removes it after 30 days."
        }
    }
}
