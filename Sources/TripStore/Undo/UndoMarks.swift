import EventLog
import Events

/// What of each commit is undone, entity by entity, as the marks of a log say.
///
/// A mark leads to a commit that has none, its root, perhaps by way of other marks: each takes back what the one before it did. Of
/// all marks with the same root and an event of an entity the last in the order of the merge counts, as the last write to
/// a field does. So what they say goes with the values, and does not depend on the order in which commits came here.
///
/// The log's format says the same, for other implementations: "What undoes another commit".
struct UndoMarks {
    /// Where a mark leads.
    private struct Lead {
        /// The first bytes of the hash of the root.
        let root: [UInt8]
        /// Whether it undoes what the root did, or does it again.
        let undoes: Bool
        let stamp: Stamp
    }

    /// What a commit did to an entity.
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

    /// Every mark of a log. O(commits + marks · log marks + their events), and the payloads are walked through.
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

    /// In the order of the merge: what a mark names comes before it, so that no marks lead in a circle.
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

    /// Whether what a commit without a mark did to an entity is undone.
    func isUndone(_ commit: Digest, _ entity: EntityReference) -> Bool {
        guard let last = lasts[Part(root: UndoMark.prefix(of: commit), entity: entity)], let undoing = last.undoing
        else { return false }
        return last.redoing.map { $0 < undoing } ?? true
    }

    /// Whether what a commit with a mark did to an entity stands: no later mark takes it back.
    func stands(_ commit: Digest, _ entity: EntityReference) -> Bool {
        guard let lead = leads[UndoMark.prefix(of: commit)] else { return false }
        let last = lasts[Part(root: lead.root, entity: entity)]
        guard let opposite = lead.undoes ? last?.redoing : last?.undoing else { return true }
        return opposite < lead.stamp
    }
}
