public import TripStore

/// A trip with all that a format may say of it, as one snapshot shows it.
public struct TripDocument: Sendable {
    /// The trip, its items in the order of time, its budgets and checklists.
    public let contents: TripContents
    /// The existing travellers that the trip, its items or its entries name, by id.
    public let travellers: [Traveller.ID: Traveller]
    /// The existing organizations that the trip's items name, by id.
    public let organizations: [Organization.ID: Organization]
    /// The attachments of the trip and of its items, by the entity that they belong to, in the order of their creation.
    public let attachments: [EntityReference: [AttachedFile]]
    /// The names of fields in which one edit superseded another unseen, by the trip or item: a page marks them.
    public var superseded: [EntityReference: [String]] = [:]

    public init(
        contents: TripContents, travellers: [Traveller.ID: Traveller] = [:],
        organizations: [Organization.ID: Organization] = [:], attachments: [EntityReference: [AttachedFile]] = [:]
    ) {
        self.contents = contents
        self.travellers = travellers
        self.organizations = organizations
        self.attachments = attachments
    }
}

extension TripQuerying where Self: ~Copyable {
    /// A trip with all that a format may say of it; nil if it is not there. O(that).
    public func document(of trip: Trip.ID) throws -> TripDocument? {
        try read { views in
            guard let contents = try views.contents(of: trip) else { return nil }
            var travellers: [Traveller.ID: Traveller] = [:]
            for id in contents.namedTravellers { travellers[id] = try views.entity(id) }
            var organizations: [Organization.ID: Organization] = [:]
            for id in Set(contents.items.compactMap(\.organization)) { organizations[id] = try views.entity(id) }
            var attachments: [EntityReference: [AttachedFile]] = [:]
            for entity in [trip.reference] + contents.items.map(\.reference) {
                attachments[entity] = try views.entities(AttachedFile.self, under: entity)
            }
            return TripDocument(
                contents: contents, travellers: travellers, organizations: organizations,
                attachments: attachments.filter { !$0.value.isEmpty })
        }
    }
}

extension TripContents {
    fileprivate var namedTravellers: Set<Traveller.ID> {
        trip.travellers.union(items.flatMap(\.namedTravellers)).union(entries.compactMap(\.assignee))
    }
}
