import Events
import Trips

extension Auditor {
    /// The timelines of an entity: where its kind changed those of all its forms that were created, otherwise the only one.
    mutating func forms(of entity: EntityReference) throws -> [EntityTimeline] {
        let timeline = try timeline(of: entity)
        guard EntityForms.kinds.contains(entity.kind),
            let forms = EntityForms(of: entity, timeline.record(asOf: .position(Position(.max))))
        else { return [timeline] }
        return try forms.all.map { $0 == entity ? timeline : try self.timeline(of: $0) }
            .filter { $0.entity == entity || $0.creation != nil }
    }
}

extension EntityTimeline {
    /// The commit that a value is from: not the one that changed the kind, if the form before had the value.
    static func origin(
        of write: Write, at path: FieldPath, in timeline: EntityTimeline, among forms: [EntityTimeline]
    ) -> CommitInfo {
        var (write, timeline) = (write, timeline)
        while forms.count > 1, let earlier = earlierForm(of: write, at: path, in: timeline, among: forms) {
            (write, timeline) = earlier
        }
        return timeline.entries[write.entry].commit
    }

    /// The write from which one was taken that came with a change of the kind; nil if it is another's.
    private static func earlierForm(
        of write: Write, at path: FieldPath, in timeline: EntityTimeline, among forms: [EntityTimeline]
    ) -> (write: Write, timeline: EntityTimeline)? {
        let stamp = timeline.entries[write.entry].stamp
        let earlier = forms.compactMap { form -> (write: Write, timeline: EntityTimeline)? in
            guard form.entity != timeline.entity, form.deletes(in: stamp.hash),
                let write = form.writes[path]?.last(where: { form.entries[$0.entry].stamp < stamp })
            else { return nil }
            return (write, form)
        }
        let newest = earlier.max {
            $0.timeline.entries[$0.write.entry].stamp < $1.timeline.entries[$1.write.entry].stamp
        }
        return newest.flatMap { $0.write.value == write.value ? $0 : nil }
    }

    private func deletes(in commit: Digest) -> Bool {
        writes[.deletion]?.contains { $0.value != nil && entries[$0.entry].stamp.hash == commit } ?? false
    }
}
