import Foundation
import TravelingSnails
import TripStore

/// One writing of an export.
struct SnailsRun {
    /// Counts what is handed out.
    private final class Count {
        var bytes: Int64 = 0
    }

    private static let cachedOrganizations = 1_000

    private let store: TripStore
    private let count: Count
    private var writer: ExportWriter
    private(set) var losses: SnailsLosses
    private var zones = KnownZones()
    /// The entities of apps' own kinds, and of the store's, under what was written: of a whole export, so that the others are found.
    private var seen: Set<EntityReference> = []
    private let isAll: Bool
    private var organizations: Set<Organization.ID> = []
    /// Those that items name, for whether they are here: many items name the same.
    private var organizationCache: [Organization.ID: Organization] = [:]
    private(set) var tripsWithAttachments: [Trip.ID] = []

    /// Bytes that were handed out.
    var bytes: Int64 { count.bytes }

    init(_ store: TripStore, at date: Date, isAll: Bool, _ output: @escaping ([UInt8]) throws -> Void) {
        self.store = store
        losses = SnailsLosses(known: store.knownSchema)
        self.isAll = isAll
        let count = Count()
        self.count = count
        writer = ExportWriter(
            timestamp: date, exporter: SnailsExport.exporter, store: store.journal.uuid, includesAttachments: true
        ) { bytes in
            try output(bytes)
            count.bytes += Int64(bytes.count)
        }
    }

    // MARK: Trips

    mutating func write(_ trip: Trip.ID) throws {
        // It may be deleted since it was selected.
        guard let (document, others) = try read(trip) else { return }
        try writer.append(SnailsTrip.map(document, &losses, &zones))
        organizations.formUnion(document.organizations.keys)
        if document.attachments.contains(where: { $0.key != trip.reference }) { tripsWithAttachments.append(trip) }
        guard !others.isEmpty else { return }
        let held = document.ownEntities
        for other in others where !held.contains(other.entity.reference) { note(other) }
        if isAll { seen.formUnion(others.map(\.entity.reference)) }
    }

    /// A trip, and all entities of apps' own kinds and of the store's under it and its items.
    ///
    /// Of trips that have nothing but items, as most, a document is made without looking for each kind of what there may be and for the names
    /// of travellers: that takes a third of the time of an export.
    private mutating func read(_ trip: Trip.ID) throws -> (TripDocument, [SnailsDescendant])? {
        var known = organizationCache
        organizationCache = [:]
        defer { organizationCache = known }
        return try store.read { views in
            guard let found = try views.entity(trip) else { return nil }
            let items = try views.items(of: trip).rows
            let others = try views.descendants(of: [trip.reference] + items.map(\.reference))
            guard others.isEmpty else { return try views.document(of: trip).map { ($0, others) } }
            var organizations: [Organization.ID: Organization] = [:]
            for id in items.lazy.compactMap(\.organization) where organizations[id] == nil {
                if known[id] == nil {
                    if known.count >= Self.cachedOrganizations { known = [:] }
                    known[id] = try views.entity(id)
                }
                organizations[id] = known[id]
            }
            return (TripDocument(contents: TripContents(trip: found, items: items), organizations: organizations), [])
        }
    }

    private mutating func note(_ other: SnailsDescendant) {
        let example = "'\(other.entity.name(in: losses.known))' (\(other.entity.id))"
        guard other.entity.isAttachment else {
            let kind = other.entity.reference.kindName(in: losses.known)
            return losses.note(.entities(kind ?? "entity of an app"), example)
        }
        let kind = other.parent.kind
        losses.note(
            kind.isNamespaced
                ? .attachmentsOfOwn(other.parent.kindName(in: losses.known) ?? "entity of an app")
                : .attachments(of: kind), example)
    }

    // MARK: Organizations

    mutating func writeOrganizations() throws {
        if isAll { organizations.formUnion(try store.organizations().rows.map(\.id)) }
        for id in organizations.sorted() {
            let found = try store.read { views in
                try views.entity(id).map { ($0, try views.descendants(of: [id.reference])) }
            }
            guard let (organization, others) = found else { continue }
            try write(organization)
            for other in others { note(other) }
            if isAll { seen.formUnion(others.map(\.entity.reference)) }
        }
    }

    private mutating func write(_ organization: Organization) throws {
        guard organization.name != "None" else {
            return losses.note(.organizationsNamedNone, "\(organization.id)")
        }
        var held = Organization(
            id: organization.id, name: organization.name, phone: organization.phone, email: organization.email,
            website: organization.website, logoURL: organization.logoURL, address: organization.address)
        held.setTimes(created: organization.createdAt, updated: organization.updatedAt)
        losses.noteFields(of: organization, beyond: held, .organization, named: organization.name)
        if organization.address?.coordinates?.isInRange == false {
            losses.note(.coordinates, "'\(organization.name)' (\(organization.id))")
        }
        try writer.append(
            ExportedOrganization(
                id: organization.id.uuid, name: organization.name, phone: organization.phone,
                email: organization.email, website: organization.website, logoURL: organization.logoURL,
                address: organization.address.map { Self.address($0, of: organization.id) }))
    }

    private static func address(_ address: Address, of organization: Organization.ID) -> ExportedAddress {
        // Peers may send what is not on Earth, which a reader refuses.
        let coordinates = address.coordinates.flatMap { $0.isInRange ? $0 : nil }
        return ExportedAddress(
            id: Organization.ID.derived(from: "travelingsnails.address", organization.description).uuid,
            street: address.street, city: address.city, state: address.state, country: address.country,
            postalCode: address.postalCode, latitude: coordinates?.latitude, longitude: coordinates?.longitude,
            formatted: address.formatted)
    }

    // MARK: Attachments

    mutating func writeAttachments(of trip: Trip.ID) async throws {
        guard let document = try store.document(of: trip) else { return }
        for item in document.contents.items {
            // By ids, so that a store that has imported them writes them in the same order.
            for attachment in (document.attachments[item.reference] ?? []).sorted(by: { $0.id < $1.id }) {
                try await write(attachment, of: item)
            }
        }
    }

    private mutating func write(_ attachment: AttachedFile, of item: TripItem) async throws {
        let example = "'\(attachment.name)' (\(attachment.id))"
        switch store.state(of: attachment) {
        case .here, .unreadable: break
        case .missing, .discarded, .none: return losses.note(.missingBytes, example)
        }
        var isBegun = false
        do {
            try await store.withBytes(of: attachment) { bytes in
                if !isBegun { try begin(attachment, of: item) }
                isBegun = true
                try writer.append(bytes: bytes)
            }
        } catch let error as TripStoreError where error.code == .missingContent && !isBegun {
            // They went since.
            return losses.note(.missingBytes, example)
        }
        if !isBegun { try begin(attachment, of: item) }
        try writer.endAttachment()
        var held = AttachedFile(id: attachment.id)
        (held.name, held.owner, held.content) = (attachment.name, attachment.owner, attachment.content)
        (held.mediaType, held.caption) = (attachment.mediaType, attachment.caption)
        held.setTimes(created: attachment.createdAt, updated: attachment.updatedAt)
        losses.noteFields(of: attachment, beyond: held, .attachment, named: attachment.name)
    }

    private mutating func begin(_ attachment: AttachedFile, of item: TripItem) throws {
        try writer.begin(
            ExportedAttachment(
                id: attachment.id.uuid, name: attachment.name, mimeType: attachment.mediaType,
                caption: attachment.caption, createdDate: attachment.createdAt, parentKind: Self.kind(of: item),
                parentID: item.reference.id, claimedSize: attachment.size))
    }

    private static func kind(of item: TripItem) -> ExportedItem.Kind {
        switch item {
        case .activity: .activity
        case .lodging: .lodging
        case .transportation: .transportation
        }
    }

    // MARK: End

    /// Ends the file, and returns what was lost.
    mutating func finish() throws -> [SnailsLoss] {
        try writer.finish()
        if isAll { try noteLoose() }
        return losses.all
    }

    /// What a whole export does not have because it belongs to no trip that a list has.
    private mutating func noteLoose() throws {
        let unfiled = try store.unfiledItems().rows
        if let first = unfiled.first {
            losses.note(.unfiledItems, count: unfiled.count, "'\(first.name)' (\(first.reference.id.uuidString))")
        }
        let templates = try store.templates()
        if let first = templates.first {
            losses.note(.templates, count: templates.count, "'\(first.name)' (\(first.id))")
        }
        let others = try store.read { [seen] views in
            try views.ownReferences().filter { entity in try !seen.contains(entity) && !views.isInTemplate(entity) }
        }
        for entity in others {
            try Task.checkCancellation()
            guard let (found, parent) = try store.read({ try $0.described(entity) }) else { continue }
            note(SnailsDescendant(entity: found, parent: parent ?? entity))
        }
    }
}
