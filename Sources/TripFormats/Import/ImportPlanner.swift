import Events
import Foundation
import TravelingSnails
import TripStore

/// Compares the records of a file with the store, and sends the necessary changes in batches. Used on one thread.
///
/// Batches may still be in flight when later records are compared: no two concern the same entity, because repeated ids
/// in the file are skipped.
struct ImportPlanner {
    /// How many items are looked up in one go, with their trips; and at how many bytes of their texts fewer are.
    private static let itemsAtOnce = 256
    private static let bytesAtOnce = 1 << 20

    private let options: ImportOptions
    private var sender: ImportSender
    /// The entities of the file, in whatever state.
    private var seen = KnownHashes()
    private var organizations = ImportedOrganizations()
    /// Trips that wait for being looked up with others, and those of their items that are the first with their ids.
    private var waiting: [(trip: ExportedTrip, items: [ExportedItem])] = []
    private var waitingItems = 0
    private var waitingBytes = 0
    /// The trips whose items are mirrored.
    private var mirrored: [Trip.ID] = []
    /// The items of the file that are here or come here; for attachments alone.
    private var brought = KnownHashes()
    private var hasAttachments = false
    /// Whether the file has unreadable trips or items, whose ids may be any.
    private var hasUnreadable = false

    init(_ options: ImportOptions, _ sender: ImportSender) {
        self.options = options
        self.sender = sender
    }

    private var tally: ImportTally { sender.tally }

    // MARK: What stands outside of the trips

    mutating func plan(_ summary: ExportSummary) throws {
        for problem in summary.problems + summary.repetitions { tally.note(problem) }
        hasUnreadable = summary.problems.contains { $0.place.path.hasPrefix("trips") }
        hasAttachments = summary.attachmentCount > 0
        // Of the paths as far as the address.
        let badAddresses = Set(
            summary.problems.compactMap { problem in
                problem.place.path.range(of: "].address").map { String(problem.place.path[..<$0.upperBound]) }
            })
        var rest = summary.organizations[...]
        while !rest.isEmpty {
            try plan(rest.prefix(Self.itemsAtOnce), badAddresses)
            rest = rest.dropFirst(Self.itemsAtOnce)
        }
    }

    private mutating func plan(_ organizations: ArraySlice<ExportedOrganization>, _ badAddresses: Set<String>) throws {
        var records: [ImportRecord] = []
        for exported in organizations {
            if exported.isNone {
                self.organizations.none.insert(exported.id)
                continue
            }
            guard begin(Organization.ID(exported.id).reference, exported.place) else { continue }
            let address = exported.place.path + ".address"
            let hasBadAddress = exported.address == nil && badAddresses.contains(address)
            records.append(.organization(exported, keepsAddress: hasBadAddress))
        }
        let state = try ImportState(records.map(\.entity), sender.basis, in: sender.store)
        for (record, decision) in zip(records, try state.decide(records)) {
            if decision.fault == nil, decision.outcome != .erased { self.organizations.known.insert(record.entity.id) }
            try sender.add(record, decision, at: state.position)
            try sender.sendIfFull()
        }
    }

    // MARK: Trips

    /// A trip and its items.
    mutating func plan(_ exported: ExportedTrip) throws {
        try sender.checkOpen()
        for problem in exported.problems { tally.note(problem) }
        if !exported.problems.isEmpty { hasUnreadable = true }
        guard begin(Trip.ID(exported.id).reference, exported.place) else { return skip(exported.items) }
        let items = exported.items.filter { begin($0.reference, $0.place) }
        waiting.append((exported, items))
        waitingItems += exported.items.count + 1
        waitingBytes += exported.textSize
        if waitingItems >= Self.itemsAtOnce || waitingBytes >= Self.bytesAtOnce { try planWaiting() }
    }

    private mutating func planWaiting() throws {
        let trips = waiting
        (waiting, waitingItems, waitingBytes) = ([], 0, 0)
        var unknown: Set<UUID> = []
        var entities: [EntityReference] = []
        for (trip, items) in trips {
            entities.append(Trip.ID(trip.id).reference)
            for item in items {
                entities.append(item.reference)
                if let organization = item.organizationID, !organizations.hasLookedUp(organization) {
                    unknown.insert(organization)
                }
            }
        }
        let state = try ImportState(
            entities + unknown.map { Organization.ID($0).reference }, sender.basis, in: sender.store)
        for organization in unknown where state.created(Organization.ID(organization).reference) != nil {
            organizations.known.insert(organization)
        }
        for (trip, items) in trips { try plan(trip, items, state) }
    }

    private mutating func plan(
        _ exported: ExportedTrip, _ items: [ExportedItem], _ state: ImportState
    ) throws {
        let trip = TripValues(exported, otherwise: options.timeZone)
        let records = [.trip(trip)] + items.compactMap { record(of: $0, in: trip) }
        let decisions = try state.decide(records)
        for (record, decision) in zip(records, decisions) {
            if hasAttachments, decision.isHere, case .item = record { _ = brought.insert(record.entity) }
            try sender.add(record, decision, at: state.position)
        }
        if options.mirror, decisions.first?.isHere == true, state.created(trip.id.reference) != nil {
            mirror(exported)
        }
        try sender.sendIfFull()
    }

    /// Nil for what is left out.
    private mutating func record(of exported: ExportedItem, in trip: TripValues) -> ImportRecord? {
        let values: ItemValues
        do throws(ExportError) {
            values = try ItemValues(exported, in: trip.id, zone: trip.zoneName, currency: options.currency)
        } catch {
            reject(exported.reference, exported.place, error.message)
            return nil
        }
        for warning in values.warnings { tally.warn(warning) }
        let (organization, warning) = organizations.reference(of: exported)
        if let warning { tally.warn(warning) }
        return .item(values, organization: organization, of: trip)
    }

    /// Records that what the trip has here, and the file lacks, is to be deleted.
    private mutating func mirror(_ exported: ExportedTrip) {
        guard exported.problems.isEmpty else {
            return tally.warn(
                "\(exported.place): nothing of the trip is deleted, for not all of its items can be read in the file.")
        }
        mirrored.append(Trip.ID(exported.id))
    }

    // MARK: Attachments

    /// An attachment whose bytes are stored. All trips were planned before.
    mutating func plan(_ attachment: ExportedAttachment, _ content: ContentID) throws {
        try planWaiting()
        try sender.checkOpen()
        guard begin(attachment.importedID.reference, attachment.place) else { return }
        if let claimed = attachment.claimedSize, claimed != content.size {
            tally.warn(
                "\(attachment.place): the attachment has \(content.size.counted("byte")), and `fileSize` says \(claimed): it is taken in as it is."
            )
        }
        let record = ImportRecord.attachment(
            attachment, content, isOwnerBrought: brought.contains(attachment.owner))
        let state = try ImportState([record.entity, attachment.owner], sender.basis, in: sender.store)
        for decision in try state.decide([record]) { try sender.add(record, decision, at: state.position) }
        try sender.sendIfFull()
    }

    /// Sends what is left. Only now is it known that no other trip of the file holds an item that was moved.
    mutating func finish() throws -> MirroredTrips {
        try planWaiting()
        try sender.send()
        return MirroredTrips(trips: mirrored, seen: seen, hasUnreadable: hasUnreadable)
    }

    // MARK: What is left out

    /// Whether a record is the first of its entity in the file.
    private mutating func begin(_ entity: EntityReference, _ place: Place) -> Bool {
        if seen.insert(entity) { return true }
        reject(entity, place, "the id \(entity.id.uuidString) is used before in the file.")
        return false
    }

    /// Skips the items of a trip. A mirror does not treat them as missing.
    private mutating func skip(_ items: [ExportedItem]) {
        for item in items {
            _ = seen.insert(item.reference)
            tally.skip(item.reference.kind)
        }
    }

    private func reject(_ entity: EntityReference, _ place: Place, _ reason: String) {
        tally.leaveOut(entity.kind, "\(place): the \(ImportReport.name(of: entity.kind)) is left out: \(reason)")
    }
}

extension ExportedTrip {
    /// About how many bytes its texts and those of its items have.
    fileprivate var textSize: Int {
        items.reduce(notes.utf8.count) { size, item in
            size + item.name.utf8.count + item.notes.utf8.count + item.reservation.utf8.count
                + item.customLocationName.utf8.count
        }
    }
}
