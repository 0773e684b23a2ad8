public import Foundation
public import TripStore

/// The result of an import: the number of entities of each kind, and what it could not use.
public struct ImportReport: Sendable, Hashable {
    package init() {}

    /// The outcome for a record of the file, or for an entity that the file lacks.
    package enum Outcome: Sendable {
        case created, edited, deleted, restored, unchanged, skipped
        /// It was erased, and is left out.
        case erased
        /// It is not counted: what the file lacks, and stays.
        case untouched
    }

    public internal(set) var created: [EntityKind: Int] = [:]
    public internal(set) var edited: [EntityKind: Int] = [:]
    /// Items that the file lacks, deleted to mirror it.
    public internal(set) var deleted: [EntityKind: Int] = [:]
    /// Items that a mirror had deleted and the file has, edited or not.
    public internal(set) var restored: [EntityKind: Int] = [:]
    /// Edited or restored entities for which the file has new values where a person had written others since the last
    /// import: the file's values count, and the conflicts are shown.
    public internal(set) var overridden: [EntityKind: Int] = [:]
    /// Entities that already were as the file says, or that a person changed after an import of the same values.
    public internal(set) var unchanged: [EntityKind: Int] = [:]
    /// Entities that a person deleted, and records that cannot be used or read; the warnings say why.
    public internal(set) var skipped: [EntityKind: Int] = [:]
    /// Entities that were erased, among the skipped ones, and fields of others whose values were erased: they are left out unless
    /// `ImportOptions.bringsErased` is set, and the warnings name them.
    public package(set) var erased = 0
    /// The bytes of attachments that were erased: they are stored before it is known that nothing is to name them.
    var unwanted: [ContentID] = []
    /// The events that were written.
    public package(set) var events = 0
    /// The commits that they were written in.
    public package(set) var commits = 0
    /// The correlation of the commits, by which they can be undone; nil if none was written.
    public package(set) var correlation: UUID?
    /// Whether what it counts of the store's own kinds and apps' are any but attachments, as of a table of a store's list.
    package var hasOtherKinds = false
    /// A sentence for each thing that was skipped or changed, with its location in the file: the first 1,000.
    public package(set) var warnings: [String] = []
    /// The number of all warnings.
    public package(set) var warningCount = 0

    /// The number of records that are left out for what is wrong with them.
    private(set) var faultCount = 0
    /// The warning of the first of these.
    private(set) var firstFault: String?

    private static let mostWarnings = 1_000

    package mutating func warn(_ warning: String) {
        warningCount += 1
        if warnings.count < Self.mostWarnings { warnings.append(warning) }
    }

    /// Warns of a record that is left out for what is wrong with it.
    mutating func warn(ofFault warning: String) {
        faultCount += 1
        firstFault = firstFault ?? warning
        warn(warning)
    }

    package mutating func count(_ outcome: Outcome, _ kind: EntityKind, _ number: Int = 1) {
        switch outcome {
        case .created: created[kind, default: 0] += number
        case .edited: edited[kind, default: 0] += number
        case .deleted: deleted[kind, default: 0] += number
        case .restored: restored[kind, default: 0] += number
        case .unchanged: unchanged[kind, default: 0] += number
        case .skipped: skipped[kind, default: 0] += number
        case .erased:
            skipped[kind, default: 0] += number
            erased += number
        case .untouched: break
        }
    }

    /// A kind's name. Of the kinds of the store's own and of apps only attachments are imported.
    package static func name(of kind: EntityKind) -> String {
        kind == AttachedFile.kind ? "attachment" : kind.name ?? String(kind.rawValue)
    }
}

extension EntityKind {
    /// The kind in a word, for people.
    package var words: String { name ?? "entity of kind \(rawValue)" }
}
