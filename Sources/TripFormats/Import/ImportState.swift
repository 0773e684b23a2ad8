import EventLog
import Events
import TravelingSnails
import TripStore

/// What decides, beside the file and the store, what becomes of a record.
struct ImportBasis: Sendable {
    /// What imports wrote before.
    let history = ImportHistory()
    /// Whether a store exported the file, and not the app: then what is held already is not written as news.
    let isOwnExport: Bool
    /// Erased values and entities, which are left out.
    var erased: Set<ErasedName> = []
}

/// What the store holds of the entities of some records, as one snapshot shows it, and what becomes of them.
struct ImportState {
    private let records: [EntityReference: ImportedRecord]
    private let isOwnExport: Bool
    private let erased: Set<ErasedName>
    /// Up to which commit of the log it holds.
    let position: Position

    init(_ entities: [EntityReference], _ basis: ImportBasis, in store: TripStore) throws {
        (isOwnExport, erased) = (basis.isOwnExport, basis.erased)
        (records, position) = try store.imported(entities, basis.history)
    }

    /// What is held of an entity that was created, whether it was deleted since or not.
    func created(_ entity: EntityReference) -> ImportedRecord? {
        guard let found = records[entity], found.isCreated else { return nil }
        return found
    }

    /// The form of an item that is there, where a person changed its kind; otherwise the entity itself.
    func form(of entity: EntityReference) -> EntityReference {
        guard let found = created(entity), found.isDeleted, let forms = found.forms else { return entity }
        return forms.all.first { created($0)?.isDeleted == false } ?? entity
    }

    /// The version of an entity; `.none` if nothing is held of it.
    func version(_ entity: EntityReference) -> EntityVersion { records[entity]?.version ?? .none }

    // MARK: Decisions

    /// What is to happen to the entities of records, in their order: the record of a trip comes before those of its items.
    ///
    /// Throws `WireError` if what the store holds of one cannot be read.
    func decide(_ records: [ImportRecord]) throws -> [ImportDecision] {
        var lastTrip: (id: Trip.ID, isHere: Bool)?
        func isHere(_ destination: ForeignItemRecord.Destination) throws -> Bool {
            switch destination {
            case .here(let trip): return created(trip.reference)?.isDeleted == false
            case .brought(let trip):
                if lastTrip?.id != trip.id { lastTrip = (trip.id, try bring(trip).isHere) }
                return lastTrip?.isHere == true
            case .held: return true
            }
        }
        return try records.map { record in
            switch record {
            case .organization(let exported, let keepsAddress):
                return try bring(Organization.ID(exported.id)) { exported.set(on: &$0, keepsAddress: keepsAddress) }
            case .trip(let trip):
                let decision = try bring(trip.id) { trip.set(on: &$0) }
                lastTrip = (trip.id, decision.isHere)
                return decision
            case .item(let item, let organization, let trip):
                if lastTrip?.id != trip.id {
                    // Of a trip that no commit can hold the record lies in one before.
                    lastTrip = (trip.id, try bring(trip.id) { trip.set(on: &$0) }.isHere)
                }
                guard lastTrip?.isHere == true else { return ImportDecision(outcome: .skipped) }
                return try bring(item, organization)
            case .attachment(let attachment, let content, let isOwnerBrought):
                return try bring(attachment, content, isOwnerBrought)
            case .lacking(let item, let trip): return lacking(item, trip)
            case .foreignOrganization(let organization): return try bring(organization)
            case .foreignTrip(let trip):
                let decision = try bring(trip)
                lastTrip = (trip.id, decision.isHere)
                return decision
            case .foreignItem(let item):
                guard try isHere(item.destination) else { return ImportDecision(outcome: .skipped) }
                return try bring(item)
            case .foreignTrack(let record):
                guard try isHere(record.destination) else { return ImportDecision(outcome: .skipped) }
                return try bring(record.track.id) { record.set(on: &$0) }
            }
        }
    }

    private func bring(_ item: ItemValues, _ organization: Organization.ID??) throws -> ImportDecision {
        let form = form(of: item.exported.reference)
        switch form.kind {
        case .lodging:
            return try bring(Lodging.ID(form.id), into: item.trip) { item.set(on: &$0, organization: organization) }
        case .transportation:
            return try bring(Transportation.ID(form.id), into: item.trip) {
                item.set(on: &$0, organization: organization)
                if item.exported.kind == .transportation { $0.mode = item.mode }
            }
        default:
            return try bring(Activity.ID(form.id), into: item.trip) { item.set(on: &$0, organization: organization) }
        }
    }

    /// What a person discarded or deleted stays so, as does what belongs to a deleted item.
    private func bring(
        _ attachment: ExportedAttachment, _ content: ContentID, _ isOwnerBrought: Bool
    ) throws -> ImportDecision {
        if !isOwnerBrought {
            guard let owner = created(form(of: attachment.owner)) else {
                return .rejected(
                    "the \(attachment.owner.kind.words) \(attachment.parentID) that it belongs to is neither in the file nor here."
                )
            }
            guard !owner.isDeleted, owner.parent.map(mayBeHere) ?? true else {
                return ImportDecision(outcome: .skipped)
            }
        }
        let owner = form(of: attachment.owner)
        return try bring(attachment.importedID) {
            attachment.set(on: &$0, content)
            if $0.createdAt == nil { $0.owner = owner }
        }
    }

    /// Brings an entity to what the file says.
    ///
    /// What the file says is new where it differs from what the newest import wrote: those fields are written. Where it says the
    /// same, what a person wrote since stays; where both are new the file wins.
    /// - Parameters:
    ///   - trip: where an item comes, which is there.
    ///   - set: sets the fields that the file has.
    func bring<Entity: TripEntity>(
        _ id: Identifier<Entity>, into trip: Trip.ID? = nil, _ set: (inout Entity) -> Void
    ) throws -> ImportDecision {
        guard let found = created(id.reference) else {
            guard !erased.contains(ErasedName(id.reference)) else { return .erased }
            var new = Entity(id: id)
            set(&new)
            var event = TripEvent.created(new)
            let leftOut = try leaveOutErased(of: &event, nil)
            do throws(ValidationError) { try event.validate(on: nil) } catch { return .rejected(error.words) }
            return ImportDecision(outcome: .created, events: [event], erased: leftOut)
        }
        let base: Entity = try found.base(id)
        var draft = base
        set(&draft)
        var edit = TripEvent.edited(from: base, to: draft)
        do throws(ValidationError) {
            if found.others != nil {
                var new = Entity(id: id)
                set(&new)
                try TripEvent.created(new).validate(on: nil)
            } else if let edit {
                // What the file says as before was valid before.
                try draft.validate(after: edit)
            }
        } catch { return .rejected(error.words) }
        if found.isDeleted && !found.isRestorable { return ImportDecision(outcome: .skipped, isHere: false) }
        // It goes with the trip that it is in now.
        if let owner = found.parent, owner != trip?.reference, !mayBeHere(owner) {
            return ImportDecision(outcome: .skipped)
        }
        if let others = found.others, !others.undoneFields.isEmpty,
            let rest = Self.edit(of: Entity(id: id, record: others.record), set)
        {
            let writes = edit?.writes ?? []
            let missing = rest.writes.filter { write in
                others.undoneFields.contains(write.field) && !writes.contains { $0.field == write.field }
            }
            if !missing.isEmpty { edit = TripEvent(.edited, id.reference, writes: writes + missing) }
        }
        if isOwnExport, let others = found.others {
            // An export has the end that is shown where a merge left one before the start.
            edit = edit?.without(whatIsHeldIn: others.record)?.restricted(
                to: Self.edit(of: Entity(id: id, record: others.record), set))
        }
        var decision = ImportDecision(outcome: found.isDeleted ? .restored : .edited)
        if found.isDeleted { decision.events.append(.restored(id)) }
        if var edited = edit {
            decision.erased = try leaveOutErased(of: &edited, found)
            edit = edited.writes.isEmpty ? nil : edited
        }
        if let edit {
            if let others = found.others {
                do throws(ValidationError) { try edit.validate(on: others.record) } catch {
                    return ImportDecision(
                        outcome: .skipped,
                        fault: "\(error.words) A person has changed it since the last import.", isHere: !found.isDeleted
                    )
                }
                decision.overrides = edit.overrides(others)
            }
            decision.events.append(edit)
        }
        if decision.events.isEmpty { decision.outcome = .unchanged }
        return decision
    }

    /// Takes writes out whose fields were erased, unless an import wrote them since or they stand, and returns the fields.
    func leaveOutErased(of event: inout TripEvent, _ found: ImportedRecord?) throws -> [UInt64] {
        guard !erased.isEmpty else { return [] }
        let entity = event.entity
        let leftOut = try event.writes.filter { write in
            try erased.contains(ErasedName(entity, field: write.field))
                && found?.holds(write.value, at: write.path) != true
        }
        event.writes.removeAll { write in leftOut.contains { $0.path == write.path } }
        return Set(leftOut.map(\.field)).sorted()
    }

    /// The edit that brings an entity to what the file says; nil if it says that.
    private static func edit<Entity: TripEntity>(
        of held: Entity, _ set: (inout Entity) -> Void
    ) -> TripEvent? {
        var draft = held
        set(&draft)
        return .edited(from: held, to: draft)
    }

    /// Deletes an item that the file lacks, unless the newest import that wrote to it deleted it and a person has restored it since.
    private func lacking(_ item: EntityReference, _ trip: Trip.ID) -> ImportDecision {
        guard let found = created(item), !found.isDeleted, found.isInBase != false, found.parent == trip.reference
        else { return ImportDecision(outcome: .untouched) }
        return ImportDecision(outcome: .deleted, events: [TripEvent(.deleted, item)])
    }

    /// An entity that never came here is no hindrance.
    func mayBeHere(_ entity: EntityReference) -> Bool {
        created(entity).map { !$0.isDeleted } ?? true
    }
}

extension TripEvent {
    /// Without the writes of what a record holds already; nil if there are no others.
    fileprivate func without(whatIsHeldIn record: EntityRecord) -> TripEvent? {
        var rest = self
        rest.keepUnknownParts(of: record)
        rest.writes.removeAll { record.register(at: $0.path)?.value == $0.value }
        return rest.writes.isEmpty ? nil : rest
    }

    /// Without the writes of paths that another does not write; nil if there are no others.
    fileprivate func restricted(to other: TripEvent?) -> TripEvent? {
        guard let other else { return nil }
        let paths = Set(other.writes.map(\.path))
        var rest = self
        rest.writes.removeAll { !paths.contains($0.path) }
        return rest.writes.isEmpty ? nil : rest
    }

    /// Whether it writes another value over what others wrote since the last import.
    fileprivate func overrides(_ others: ImportedRecord.Others) -> Bool {
        writes.contains { write in
            let path = FieldPath(field: write.field)
            let (held, base) = (others.record.register(at: path)?.value, others.base.register(at: path)?.value)
            return held != base && held != write.value && !others.undoneFields.contains(write.field)
        }
    }
}

extension ValidationError {
    /// The field and what is wrong with it.
    var words: String { field.map { "\($0): \(message)" } ?? message }
}
