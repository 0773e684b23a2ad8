import Events
import ProjectionEngine
import Trips

/// The entities whose kinds the selected events changed, for an undo that must leave one form of each.
struct SelectedForms {
    /// The forms that stay as they are, each with the commit that prevents more: it wrote to the newer form since, deleted that, or changed the
    /// kind as well.
    private(set) var inUse: [EntityReference: CommitInfo] = [:]
    /// All forms of these entities.
    private(set) var all: Set<EntityReference> = []

    init() {}

    init(_ selection: UndoSelection, _ auditor: inout Auditor) throws {
        for entity in selection.events.keys where EntityForms.kinds.contains(entity.kind) {
            let timeline = try auditor.timeline(of: entity)
            guard timeline.current(at: EntityForms.path) != nil,
                let forms = EntityForms(of: entity, timeline.record(asOf: .position(Position(.max))))
            else { continue }
            all.formUnion(forms.all)
            let others = try forms.all.compactMap { try Self.preventing(selection, $0, &auditor) }
            for form in forms.all where !others.isEmpty { inUse[form] = others.max { $0.position < $1.position } }
        }
    }

    /// The newest commit besides the selected ones on which a form depends; nil if there is none.
    private static func preventing(
        _ selection: UndoSelection, _ form: EntityReference, _ auditor: inout Auditor
    ) throws -> CommitInfo? {
        guard let selected = selection.events[form] else { return nil }
        let timeline = try auditor.timeline(of: form)
        let isSelected = { (place: Int) in
            let entry = timeline.entries[place]
            return selected.contains(UndoSelection.EventID(hash: entry.stamp.hash, index: entry.index))
        }
        let evolved = EvolvedHistory(timeline)
        if let writes = timeline.writes[.deletion], let last = writes.last,
            writes.contains(where: { isSelected($0.entry) }),
            timeline.owner(of: .deletion, evolved, where: isSelected) == nil
        {
            return timeline.entries[last.entry].commit
        }
        let created = timeline.entries.indices.filter { timeline.entries[$0].event.verb == .created }
        guard !created.isEmpty, created.allSatisfy(isSelected), timeline.standingDeletion == nil else { return nil }
        if let other = timeline.contribution(besides: isSelected, evolved) { return other }
        // What came to it since.
        for child in try auditor.views.children(of: form) where selection.events[child] == nil {
            if let commit = try auditor.timeline(of: child).entries.last?.commit { return commit }
        }
        return nil
    }
}
