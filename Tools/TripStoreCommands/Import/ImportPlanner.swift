import Foundation
import TravelingSnails
import TripStore

/// Compares the records of a file with the store, and sends what is to be written in batches. Used on one thread.
///
/// Batches may still be under way when later records are compared: no two concern the same entity, for an id that the
/// file uses again is left out.
struct ImportPlanner {
    let store: TripStore
    private let options: ImportOptions
    private let source: ImportSource
    private let channel: ImportChannel
    /// Whether the file was imported to its end before, or even mirrored.
    private let wasImported: Bool
    private let wasMirrored: Bool

    var batch = ImportBatch()
    /// What the file holds, in whatever state.
    private var seen: Set<EntityReference> = []
    var organizations = ImportedOrganizations()
    /// The trips whose items are mirrored.
    private var mirrored: [Trip.ID] = []
    /// Whether the file holds trips or items that cannot be read, and whose ids may be any.
    private var hasUnreadable = false

    init(_ store: TripStore, _ options: ImportOptions, _ source: ImportSource, _ channel: ImportChannel) throws {
        self.store = store
        self.options = options
        self.source = source
        self.channel = channel
        wasImported = try store.note(source.noteName) != nil
        wasMirrored = try store.note(source.mirrorNoteName) != nil
    }

    /// What stands outside of the trips.
    mutating func plan(_ summary: ExportSummary) throws {
        for problem in summary.problems { note(problem) }
        hasUnreadable = summary.problems.contains { $0.place.path.hasPrefix("trips") }
        if summary.attachmentCount > 0 {
            warn("attachments: \(summary.attachmentCount) left out, for attachments are not imported yet.")
        }
        for organization in summary.organizations { try plan(organization, summary.problems) }
    }

    private mutating func plan(_ exported: ExportedOrganization, _ problems: [ExportProblem]) throws {
        if exported.isNone {
            organizations.none.insert(exported.id)
            return
        }
        let id = Organization.ID(exported.id)
        guard begin(id.reference, exported.place) else { return }
        let address = exported.place.path + ".address"
        let hasBadAddress = exported.address == nil && problems.contains { $0.place.path.hasPrefix(address) }
        let state = try ImportState([id.reference], in: store)
        let isUsable = try bring(id, state, at: exported.place) { exported.set(on: &$0, keepsAddress: hasBadAddress) }
        if isUsable {
            organizations.known.insert(exported.id)
        }
        try sendIfFull()
    }

    /// A trip and its items.
    mutating func plan(_ exported: ExportedTrip) throws {
        try channel.checkOpen()
        for problem in exported.problems { note(problem) }
        if !exported.problems.isEmpty { hasUnreadable = true }
        let id = Trip.ID(exported.id)
        guard begin(id.reference, exported.place) else { return skip(exported.items) }
        let unknown = Set(exported.items.compactMap(\.organizationID)).filter { !organizations.settles($0) }
        let references = unknown.map { Organization.ID($0).reference }
        let state = try ImportState([id.reference] + exported.items.map(\.reference) + references, in: store)
        for organization in unknown where state.created(Organization.ID(organization).reference) != nil {
            organizations.known.insert(organization)
        }

        let values = TripValues(exported, otherwise: options.timeZone)
        let isUsable = try bring(id, state, at: exported.place) { values.set(on: &$0) }
        guard isUsable, state.created(id.reference)?.isDeleted != true
        else { return skip(exported.items) }
        for item in exported.items { try plan(item, of: values, state) }
        if options.mirror && state.created(id.reference) != nil { mirror(exported) }
        try sendIfFull()
    }

    private mutating func plan(_ exported: ExportedItem, of trip: TripValues, _ state: ImportState) throws {
        guard begin(exported.reference, exported.place) else { return }
        let values: ItemValues
        do {
            values = try ItemValues(
                exported, in: Trip.ID(trip.exported.id), zone: trip.zoneName, currency: options.currency)
        } catch let error as ExportError {
            return reject(exported.reference, exported.place, error.message)
        }
        for warning in values.warnings { warn(warning) }
        let (organization, warning) = organizations.reference(of: exported)
        if let warning { warn(warning) }
        switch exported.kind {
        case .activity:
            let id = Activity.ID(exported.id)
            try bring(id, state, at: exported.place, in: trip) { values.set(on: &$0, organization: organization) }
        case .lodging:
            let id = Lodging.ID(exported.id)
            try bring(id, state, at: exported.place, in: trip) { values.set(on: &$0, organization: organization) }
        case .transportation:
            let id = Transportation.ID(exported.id)
            try bring(id, state, at: exported.place, in: trip) {
                values.set(on: &$0, organization: organization)
                $0.mode = values.mode
            }
        }
        if batch.isLarge { try send() }
    }

    /// Adds the step that brings an entity to what the file says, or counts why there is none; whether the record can be
    /// used.
    /// - Parameter set: sets the fields that the file has.
    @discardableResult
    private mutating func bring<Entity: TripEntity>(
        _ id: Identifier<Entity>, _ state: ImportState, at place: Place, in trip: TripValues? = nil,
        set: (inout Entity) -> Void
    ) throws -> Bool {
        var new = Entity(id: id)
        set(&new)
        do throws(ValidationError) {
            try new.validate()
        } catch {
            reject(id.reference, place, error.field.map { "\($0): \(error.message)" } ?? error.message)
            return false
        }
        let owner = trip.map { Trip.ID($0.exported.id).reference }
        guard let record = state.created(id.reference) else {
            add(ImportStep(entity: id.reference, trip: owner, place: place, outcome: .created, events: [.created(new)]))
            return true
        }
        let isDeleted = record.isDeleted
        guard try !state.isHidden(id.reference) && (!isDeleted || wasDeletedByMirror(id)) else {
            batch.report.count(.skipped, Entity.kind)
            return true
        }
        let stored = Entity(id: id, record: record)
        var draft = stored
        set(&draft)
        var events: [TripEvent] = isDeleted ? [.restored(id)] : []
        if let edit = TripEvent.edited(from: stored, to: draft), try !hasSpoken(of: id) { events.append(edit) }
        if events.isEmpty {
            batch.report.count(.unchanged, Entity.kind)
        } else {
            add(
                ImportStep(
                    entity: id.reference, trip: owner, place: place, outcome: isDeleted ? .restored : .edited,
                    events: events))
        }
        return true
    }

    /// Whether this very file has said before what it has to say of an entity.
    private func hasSpoken<Entity: TripEntity>(of id: Identifier<Entity>) throws -> Bool {
        try wasImported || store.history(of: id).contains { $0.commit.causation == source.causation }
    }

    private func wasDeletedByMirror<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Bool {
        let deletion = try store.history(of: id).last { $0.event.verb == .deleted }
        return ImportSource.isMirror(deletion?.commit.causation)
    }
}

extension ImportPlanner {
    /// Sends what is left, and what a mirror deletes.
    mutating func finish() throws {
        try send()
        // Only now is it known that no other trip of the file holds an item that was moved.
        guard options.mirror && !wasMirrored else { return }
        batch = ImportBatch(after: batch, isMirror: true)
        for trip in mirrored {
            for item in try store.items(of: trip) where !seen.contains(item.reference) {
                guard try !keeps(item) else { continue }
                batch.append(
                    ImportStep(
                        entity: item.reference, trip: trip.reference, outcome: .deleted,
                        events: [TripEvent(.deleted, item.reference)]))
            }
            try sendIfFull()
        }
        try send()
    }

    /// Notes that what the trip has here, and the file lacks, is to be deleted.
    private mutating func mirror(_ exported: ExportedTrip) {
        guard exported.problems.isEmpty else {
            return warn(
                "\(exported.place): nothing of the trip is deleted, for not all of its items can be read in the file.")
        }
        mirrored.append(Trip.ID(exported.id))
    }

    /// Whether an item that was not found in the file stays: because this very file deleted it before and somebody
    /// restored it, or because it was moved here and may be in the file in a trip that cannot be read.
    private mutating func keeps(_ item: TripItem) throws -> Bool {
        let history =
            switch item {
            case .activity(let activity): try store.history(of: activity.id)
            case .lodging(let lodging): try store.history(of: lodging.id)
            case .transportation(let transportation): try store.history(of: transportation.id)
            }
        if history.contains(where: { $0.commit.causation == source.mirrorCausation }) { return true }
        guard hasUnreadable && history.contains(where: \.event.moves) else { return false }
        warn(
            "The \(item.kind.words) \(item.id.uuidString) is not deleted: it was moved from another trip, and the file "
                + "has records that cannot be read.")
        return true
    }

    /// Whether a record is the first of its entity in the file.
    private mutating func begin(_ entity: EntityReference, _ place: Place) -> Bool {
        if seen.insert(entity).inserted { return true }
        reject(entity, place, "the id \(entity.id.uuidString) is used before in the file.")
        return false
    }

    /// Leaves the items of a trip out. A mirror does not take them for lacking.
    private mutating func skip(_ items: [ExportedItem]) {
        for item in items {
            seen.insert(item.reference)
            batch.report.count(.skipped, item.reference.kind)
        }
    }

    private mutating func reject(_ entity: EntityReference, _ place: Place, _ reason: String) {
        warn("\(place): the \(entity.kind.words) is left out: \(reason)")
        batch.report.count(.skipped, entity.kind)
    }

    /// Warns of what cannot be read, and counts the records that are left out for it.
    private mutating func note(_ problem: ExportProblem) {
        warn("\(problem)")
        for (record, count) in problem.leftOut { batch.report.count(.skipped, record.kind, count) }
    }

    private mutating func warn(_ warning: String) { batch.report.warnings.append(warning) }

    private mutating func add(_ step: ImportStep) { batch.append(step) }

    private mutating func sendIfFull() throws { if batch.isFull { try send() } }

    private mutating func send() throws {
        try channel.send(batch)
        batch = ImportBatch(after: batch, isMirror: batch.isMirror)
    }
}

extension RecordKind {
    /// The kind as the store names it.
    fileprivate var kind: EntityKind {
        switch self {
        case .trip: .trip
        case .item(.activity): .activity
        case .item(.lodging): .lodging
        case .item(.transportation): .transportation
        case .organization: .organization
        }
    }
}

extension AuditedEvent {
    /// Whether it put an item from one trip into another.
    fileprivate var moves: Bool { verb == .edited && changes.contains { $0.field == "\(ItemField.trip)" } }
}
