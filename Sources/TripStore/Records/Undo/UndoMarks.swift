import EventLog
import Events
import Foundation

/// The undone part of each commit, entity by entity, by the marks of a log.
///
/// A mark leads to a commit without one, its root, perhaps through other marks: each reverts the one before it. Of all
/// marks with the same root and an event of an entity the last in merge order counts, as the last write to a field
/// does. So marks agree with the values, and do not depend on the order of arrival.
///
/// The log's format specifies the same, for other implementations: "What undoes another commit".
struct UndoMarks {
    /// The root of a mark, and its direction.
    private struct Lead {
        /// The first bytes of the hash of the root.
        let root: [UInt8]
        /// Whether it undoes the root's changes, or redoes them.
        let undoes: Bool
        let stamp: Stamp
    }

    /// The changes of a commit to an entity.
    private struct Part: Hashable {
        let root: [UInt8]
        let entity: EntityReference
    }

    /// The last marks of a part.
    private struct Last {
        var undoing: Stamp?
        var redoing: Stamp?
    }

    /// A commit with a mark.
    private struct Marked {
        let mark: UndoMark
        let stamp: Stamp
        let entities: Set<EntityReference>
    }

    /// By the first bytes of the hash of the commit with the mark.
    private var leads: [[UInt8]: Lead] = [:]
    private var lasts: [Part: Last] = [:]
    private var roots: Set<[UInt8]> = []

    /// All marks of a log. O(commits + marks · log marks + their events); reads the payloads.
    init(_ log: borrowing LogSnapshot) throws {
        var found: [Marked] = []
        try log.forEachCommit(after: .start) { commit in
            guard commit.counts, let mark = UndoMark((try? commit.view.payload?.authorship())?.causation) else {
                return true
            }
            var entities: Set<EntityReference> = []
            commit.forEachEvent { event, _ in entities.insert(event.entity) }
            found.append(Marked(mark: mark, stamp: commit.stamp, entities: entities))
            return true
        }
        for marked in found.sorted(by: { $0.stamp < $1.stamp }) { add(marked) }
    }

    /// In merge order: a mark is later than the commit that it names, so that marks form no cycle.
    private mutating func add(_ marked: Marked) {
        let named = leads[marked.mark.subject]
        let lead = Lead(
            root: named?.root ?? marked.mark.subject, undoes: !(named?.undoes ?? false), stamp: marked.stamp)
        leads[UndoMark.prefix(of: marked.stamp.hash)] = lead
        roots.insert(lead.root)
        for entity in marked.entities {
            let part = Part(root: lead.root, entity: entity)
            if lead.undoes {
                lasts[part, default: Last()].undoing = lead.stamp
            } else {
                lasts[part, default: Last()].redoing = lead.stamp
            }
        }
    }

    /// Whether marks lead to a commit without one.
    func isRoot(_ commit: Digest) -> Bool { roots.contains(UndoMark.prefix(of: commit)) }

    /// Whether the changes of a commit without a mark to an entity are undone.
    func isUndone(_ commit: Digest, _ entity: EntityReference) -> Bool {
        guard let last = lasts[Part(root: UndoMark.prefix(of: commit), entity: entity)], let undoing = last.undoing
        else { return false }
        return last.redoing.map { $0 < undoing } ?? true
    }

    /// Whether the changes of a commit with a mark to an entity stand: no later mark reverts them.
    func stands(_ commit: Digest, _ entity: EntityReference) -> Bool {
        guard let lead = leads[UndoMark.prefix(of: commit)] else { return false }
        let last = lasts[Part(root: lead.root, entity: entity)]
        guard let opposite = lead.undoes ? last?.redoing : last?.undoing else { return true }
        return opposite < lead.stamp
    }
}

/// Marks a commit as the undo or redo of another: its causation.
///
/// A UUID of version 8 (RFC 9562): `undo` or `redo` in ASCII, then ten bytes of the hash of the newest commit undone
/// around the bits of version and variant.
package struct UndoMark: Hashable {
    package enum Action: String, Sendable {
        /// Puts back what another commit changed.
        case undo
        /// Does again what an undoing put back.
        case redo
    }

    let action: Action
    private let hash: [UInt8]

    init(_ action: Action, of commit: Digest) {
        self.action = action
        hash = Self.prefix(of: commit)
    }

    /// The bytes of a hash that name a commit.
    static func prefix(of commit: Digest) -> [UInt8] { Array(commit.bytes.prefix(10)) }

    /// Nil if it is any other causation.
    init?(_ causation: UUID?) {
        guard let bytes = causation?.bytes, bytes[6] == 0x80, bytes[8] == 0x80,
            let action = Action(rawValue: String(decoding: bytes[0..<4], as: UTF8.self))
        else { return nil }
        self.action = action
        hash = Array(bytes[4..<6] + bytes[7..<8] + bytes[9..<16])
    }

    var causation: UUID {
        var bytes = Array(action.rawValue.utf8)
        bytes += hash[0..<2]
        bytes.append(0x80)
        bytes += hash[2..<3]
        bytes.append(0x80)
        bytes += hash[3..<10]
        return bytes.withUnsafeBytes { $0.uuid() }
    }

    /// Whether it names a commit.
    func names(_ commit: Digest) -> Bool { commit.bytes.starts(with: hash) }

    /// The first bytes of the hash of the commit that it names.
    var subject: [UInt8] { hash }
}

extension CommitInfo {
    /// Whether the commit undoes another, or does again what was undone; nil for all others.
    package var undoing: UndoMark.Action? { UndoMark(causation)?.action }
}
