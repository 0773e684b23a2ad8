package import Events
import ProjectionEngine
import TripProjections
public import Trips

/// Travellers, budgets, checklists and templates.
extension TripViews {
    /// Those who travel, by name; without those that are deleted or never arrived here. O(travellers).
    public func travellers(of trip: Trip.ID) throws -> [Traveller] {
        guard let trip = try entity(trip) else { return [] }
        return try trip.travellers.compactMap { try entity($0) }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// What the budgets of a trip allow, and what its items cost so far. O(budgets · items).
    public func budgets(of trip: Trip.ID) throws -> [BudgetStatus] {
        let budgets = try entities(Budget.self, in: trip)
        return budgets.isEmpty ? [] : BudgetStatus.all(budgets, for: try items(of: trip))
    }

    /// What each has paid of the trip's items, and owes. O(items · participants).
    public func balances(of trip: Trip.ID) throws -> [TravellerBalance] {
        guard let found = try entity(trip) else { return [] }
        return TravellerBalance.all(of: try items(of: trip), among: found.travellers)
    }

    /// The checklists of a trip in the order that people gave them. O(lists).
    public func checklists(of trip: Trip.ID) throws -> [Checklist] { try entities(Checklist.self, in: trip).inOrder() }

    /// The entries of a checklist in the order that people gave them. O(entries).
    public func entries(of list: Checklist.ID) throws -> [ChecklistEntry] {
        try entities(ChecklistEntry.self, in: list).inOrder()
    }

    /// The templates, by name. O(templates).
    public func templates() throws -> [Trip] {
        try Templates.all(in: snapshot).compactMap { try entity($0) }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// A trip with what belongs to it; nil if it is not there. O(that).
    public func contents(of trip: Trip.ID) throws -> TripContents? {
        guard let found = try entity(trip) else { return nil }
        let lists = try checklists(of: trip)
        return TripContents(
            trip: found, items: try items(of: trip), budgets: try entities(Budget.self, in: trip), checklists: lists,
            entries: try lists.flatMap { try entries(of: $0.id) })
    }
}

extension TripQuerying {
    /// Those who travel, by name; without those that are deleted or never arrived here. O(travellers).
    public func travellers(of trip: Trip.ID) throws -> [Traveller] { try read { try $0.travellers(of: trip) } }

    /// What the budgets of a trip allow, and what its items cost so far, each currency by itself. O(budgets · items).
    public func budgets(of trip: Trip.ID) throws -> [BudgetStatus] { try read { try $0.budgets(of: trip) } }

    /// What each has paid of the trip's items, and owes. O(items · participants).
    public func balances(of trip: Trip.ID) throws -> [TravellerBalance] { try read { try $0.balances(of: trip) } }

    /// The checklists of a trip in the order that people gave them. O(lists).
    public func checklists(of trip: Trip.ID) throws -> [Checklist] { try read { try $0.checklists(of: trip) } }

    /// The entries of a checklist in the order that people gave them. O(entries).
    public func entries(of list: Checklist.ID) throws -> [ChecklistEntry] { try read { try $0.entries(of: list) } }

    /// The templates, by name. O(templates).
    public func templates() throws -> [Trip] { try read { try $0.templates() } }

    /// A trip with what belongs to it; nil if it is not there. O(that).
    public func contents(of trip: Trip.ID) throws -> TripContents? { try read { try $0.contents(of: trip) } }
}

extension TripViews {
    /// Whether an entity is a template, or belongs to one.
    package func isInTemplate(_ entity: EntityReference) throws -> Bool {
        try isIn(Set(Templates.all(in: snapshot)), entity)
    }

    /// The same with the templates that were read before: for many entities.
    func isIn(_ templates: Set<Trip.ID>, _ entity: EntityReference) throws -> Bool {
        if templates.isEmpty { return false }
        if let trip = Trip.ID(entity) { return templates.contains(trip) }
        if let record = try record(of: entity), let item = TripItem(entity, record: record) {
            return item.trip.map { templates.contains($0) } ?? false
        }
        let ancestors = entity.kind == .own ? try ancestors(of: entity) : []
        return ancestors.compactMap { Trip.ID($0) }.contains { templates.contains($0) }
    }
}
