import Events
import ProjectionEngine
import TripProjections
import Trips

/// The events that make an item one of another kind, computed from the state of its forms.
///
/// Each change writes whether each of the forms is there, so that of concurrent changes the last one counts for all of them: one item is left.
/// Forms that were never created are deleted as well, for a concurrent change may have created them.
struct KindChange {
    /// The form that is there afterwards.
    let target: EntityReference
    /// Empty if the item has the kind.
    private(set) var events: [Event] = []
    private(set) var versions: [EntityReference: EntityVersion] = [:]
    /// The fields in namespaces that the events write.
    private(set) var used: [UsedPart] = []

    /// Throws `TripStoreError.Code.unknownEntity` or `.deleted` if no form of the item is there.
    init(of item: EntityReference, to kind: EntityKind, in views: borrowing TripViews) throws {
        guard let found = try views.record(of: item), found.creation != nil,
            let forms = EntityForms(of: item, found)
        else { throw TripStoreError.unknown(item, in: views.known) }
        target = forms.form(kind)
        var records: [EntityReference: EntityRecord] = [:]
        for form in forms.all {
            records[form] = try views.record(of: form)
            versions[form] = records[form]?.version ?? EntityVersion.none
        }
        guard let source = ([item] + forms.all).first(where: { records[$0]?.isPresent == true }) else {
            throw TripStoreError.deleted(item, in: views.known)
        }
        let others = forms.all.filter { $0 != target }
        if source == target, others.allSatisfy({ records[$0]?.isPresent != true }) { return }
        let old = records[source] ?? EntityRecord()
        let held = records[target] ?? EntityRecord()
        let changes = source == target ? [] : changes(of: forms, from: source, old, over: held, in: views.known)
        appear(held, changes.filter { held.creation == nil && Self.isOfCreation($0) })
        try take(others.filter { records[$0]?.isPresent == true }, in: views)
        for other in others {
            events.append(Event(verb: .deleted, entity: other, seen: Self.seen(.deletion, in: records[other])))
        }
        let rest = changes.filter { held.creation != nil || !Self.isOfCreation($0) }
        // The last event of a commit is what `last` names.
        if !rest.isEmpty { events.append(Event(verb: .edited, entity: target, changes: rest)) }
    }

    /// Whether the creation of a form writes a change: all else is an edit, so that a concurrent change of the kind appears as a conflict.
    private static func isOfCreation(_ change: Change) -> Bool {
        change.path == .parent || change.path == EntityForms.path
    }

    private static func seen(_ path: FieldPath, in record: EntityRecord?) -> Seen? {
        (record?.register(at: path)?.stamp).map { Seen($0) }
    }

    private mutating func changes(
        of forms: EntityForms, from source: EntityReference, _ old: EntityRecord, over held: EntityRecord,
        in known: KnownSchema?
    ) -> [Change] {
        let (kind, target) = (ConcreteKind(self.target), self.target)
        let isKnown = { (field: UInt64) in known?.knows(UsedPart(kind: kind, number: field)) ?? false }
        var values = EntityForms.values(of: old, from: source.kind, to: target.kind, isKnown: isKnown)
        if target != forms.first { values[EntityForms.path] = forms.first.fieldValue }
        var paths = Set(values.keys)
        for register in held.registers
        where EntityForms.isShared(register.path.field, source.kind, target.kind, isKnown)
            && register.path != .deletion && register.value != nil
        {
            paths.insert(register.path)
        }
        used = Set(paths.map(\.field)).sorted().map { UsedPart(kind: kind, number: $0) }.filter(\.needsDescription)
        return paths.sorted().compactMap { path in
            guard held.register(at: path)?.value != values[path] else { return nil }
            return Change(path: path, value: values[path], seen: Self.seen(path, in: held))
        }
    }

    private mutating func appear(_ held: EntityRecord, _ creation: [Change]) {
        // Before the creation, which says nothing of whether the form is there: a concurrent change may have deleted it.
        if !held.isPresent {
            events.append(Event(verb: .restored, entity: target, seen: Self.seen(.deletion, in: held)))
        }
        if held.creation == nil { events.append(Event(verb: .created, entity: target, changes: creation)) }
    }

    /// Moves what belongs to forms, such as attachments, to the target.
    private mutating func take(_ forms: [EntityReference], in views: borrowing TripViews) throws {
        for form in forms {
            for child in try views.snapshot.children(of: form) {
                let record = try views.record(of: child)
                versions[child] = record?.version ?? EntityVersion.none
                let change = Change(path: .parent, value: target.fieldValue, seen: Self.seen(.parent, in: record))
                events.append(Event(verb: .edited, entity: child, changes: [change]))
            }
        }
    }
}

extension TripStore {
    /// Makes an item one of another kind, and returns its id as that. Nothing is written if it is one already.
    ///
    /// It goes on as another entity, which has the fields that both kinds have, its travellers, and what belongs to it, as attachments. The
    /// first entity is superseded, as if it was deleted: concurrent edits of it are conflicts with that deletion. Of whole days the item has the
    /// same ones: the last day of a stay is that of leaving. Of concurrent changes of the kind the last one counts, so one item is left. A
    /// deletion of the item that knew nothing of the change deletes the first entity alone: the item stays, without a conflict. The history of
    /// the item goes on, and imports find it. It is one commit: undoing that brings the first entity back.
    ///
    /// ```swift
    /// let stay = try await store.changeKind(of: .activity(reserved), to: .lodging)
    /// ```
    ///
    /// An entity that was superseded names the item as well. Repeating it writes nothing, so an append id is not needed and not kept.
    ///
    /// Throws `TripStoreError` (`.unusableOption` for a kind that is none of items, `.unknownEntity`, `.deleted`, `.unknownTrip`), or what the
    /// log refuses.
    @discardableResult
    public func changeKind(
        of item: TripItem.ID, to kind: EntityKind, by authorship: Authorship = Authorship()
    ) async throws -> TripItem.ID {
        try await changingKinds(of: [item], to: kind, by: authorship).items.first ?? item
    }

    /// Changes the kinds of items in one commit. Returns their ids as ones of the kind.
    package func changingKinds(
        of items: [TripItem.ID], to kind: EntityKind, by authorship: Authorship
    ) async throws -> (items: [TripItem.ID], receipt: Receipt) {
        try checkItemKind(kind, of: items)
        var found = items
        let receipt = try await writeComputed {
            let (changes, position) = try read { views in
                (try items.map { try KindChange(of: $0.reference, to: kind, in: views) }, views.position)
            }
            found = changes.compactMap { TripItem.ID($0.target) }
            let events = changes.flatMap(\.events)
            let versions = changes.reduce(into: [:]) { $0.merge($1.versions) { first, _ in first } }
            if events.isEmpty {
                return Receipt(unchangedAt: position, versions: versions, entities: changes.map(\.target))
            }
            let used = Set(changes.flatMap(\.used))
            if !used.isEmpty { await describe(Array(used)) }
            return try await write(computed: events, .undoing, by: authorship, expecting: versions)
        }
        return (found, receipt)
    }

    /// Plans the events of a change of the kinds. Throws like `changeKind`.
    package func previewKinds(of items: [TripItem.ID], as kind: EntityKind) async throws -> WritePreview {
        try checkItemKind(kind, of: items)
        try await awaitServedViews()
        return try read { views in
            let changed = try items.filter {
                try !KindChange(of: $0.reference, to: kind, in: views).events.isEmpty
            }.map(\.reference)
            let known = Set(changed)
            return WritePreview(
                entities: changed, unchanged: items.map(\.reference).filter { !known.contains($0) }, followers: 0,
                position: views.position)
        }
    }

    private func checkItemKind(_ kind: EntityKind, of items: [TripItem.ID]) throws {
        guard !EntityKind.itemKinds.contains(kind) else { return }
        throw TripStoreError(
            .unusableOption,
            "An item cannot become one of the kind \(kind.name ?? "\(kind.rawValue)"). Give activity, lodging or transportation.",
            entity: items.first?.reference)
    }
}
