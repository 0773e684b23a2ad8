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
    private var losses = SnailsLosses()
    private var organizations: Set<Organization.ID> = []
    /// Those that items name, for whether they are here: many items name the same.
    private var organizationCache: [Organization.ID: Organization] = [:]
    private(set) var tripsWithAttachments: [Trip.ID] = []

    /// Bytes that were handed out.
    var bytes: Int64 { count.bytes }

    init(_ store: TripStore, at date: Date, _ output: @escaping ([UInt8]) throws -> Void) {
        self.store = store
        let count = Count()
        self.count = count
        writer = ExportWriter(timestamp: date, exporter: SnailsExport.exporter, includesAttachments: true) { bytes in
            try output(bytes)
            count.bytes += Int64(bytes.count)
        }
    }

    // MARK: Trips

    mutating func write(_ trip: Trip.ID) throws {
        // It may be deleted since it was selected.
        guard let (document, others) = try read(trip) else { return }
        try writer.append(SnailsTrip.map(document, &losses))
        organizations.formUnion(document.organizations.keys)
        if document.attachments.contains(where: { $0.key != trip.reference }) { tripsWithAttachments.append(trip) }
        for other in others { note(other) }
    }

    /// A trip, and what apps have put under it and its items: the store's own kinds are in the document.
    ///
    /// Of trips that have nothing but items, as most, a document is made without looking for each kind of what there may be and for the names
    /// of travellers: that takes a third of the time of an export.
    private mutating func read(_ trip: Trip.ID) throws -> (TripDocument, [DescribedEntity])? {
        var known = organizationCache
        organizationCache = [:]
        defer { organizationCache = known }
        return try store.read { views in
            guard let found = try views.entity(trip) else { return nil }
            let items = try views.items(of: trip)
            var others = try views.ownEntities(in: trip.reference)
            for item in items { others += try views.ownEntities(in: item.reference) }
            guard others.isEmpty else {
                others.removeAll { OwnKind(of: $0.reference)?.isOfStore == true }
                return try views.document(of: trip).map { ($0, others) }
            }
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

    private mutating func note(_ other: DescribedEntity) {
        losses.note(.entities(other.reference.kindName ?? "entity of an app"), "'\(other.name)' (\(other.id))")
    }

    // MARK: Organizations

    mutating func writeOrganizations(isAll: Bool) throws {
        if isAll { organizations.formUnion(try store.organizations().rows.map(\.id)) }
        for id in organizations.sorted() {
            let found = try store.read { views in
                try views.entity(id).map { ($0, try views.ownEntities(in: id.reference)) }
            }
            guard let (organization, others) = found else { continue }
            try write(organization)
            for other in others {
                guard OwnKind(of: other.reference)?.isOfStore == true else {
                    note(other)
                    continue
                }
                losses.note(.attachments(of: .organization), "'\(organization.name)' (\(id))")
            }
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
        guard case .here = store.state(of: attachment) else { return losses.note(.missingBytes, example) }
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
    mutating func finish(isAll: Bool) throws -> [SnailsLoss] {
        try writer.finish()
        if isAll {
            let unfiled = try store.unfiledItems().rows
            if let first = unfiled.first {
                losses.note(.unfiledItems, count: unfiled.count, "'\(first.name)' (\(first.reference.id.uuidString))")
            }
        }
        return losses.all
    }
}
