package import Events
import Foundation
import TripProjections
public import Trips

/// Travellers, budgets, checklists and templates.
extension TripQuerying where Self: ~Copyable {
    /// The travellers of a trip, by name; without those that are deleted or never arrived here. O(travellers).
    public func travellers(of trip: Trip.ID) throws -> [Traveller] {
        try read { views in
            guard let trip = try views.entity(trip) else { return [] }
            return try trip.travellers.compactMap { try views.entity($0) }.sorted {
                ($0.name, $0.id) < ($1.name, $1.id)
            }
        }
    }

    /// The budgets of a trip: what they allow, and what its items cost so far, each currency by itself. O(budgets · items).
    public func budgets(of trip: Trip.ID) throws -> [BudgetStatus] {
        try read { views in
            let budgets = try views.entities(Budget.self, in: trip).rows
            return budgets.isEmpty ? [] : BudgetStatus.all(budgets, for: try views.items(of: trip).rows)
        }
    }

    /// The balances of a trip's travellers: what each has paid of its items, and owes. O(items · participants).
    public func balances(of trip: Trip.ID) throws -> [TravellerBalance] {
        try read { views in
            guard let found = try views.entity(trip) else { return [] }
            return TravellerBalance.all(of: try views.items(of: trip).rows, among: found.travellers)
        }
    }

    /// The checklists of a trip in the order that people gave them. O(lists).
    public func checklists(of trip: Trip.ID) throws -> [Checklist] {
        try read { try $0.entities(Checklist.self, in: trip).rows.inOrder() }
    }

    /// The entries of a checklist in the order that people gave them. O(entries).
    public func entries(of list: Checklist.ID) throws -> [ChecklistEntry] {
        try read { try $0.entities(ChecklistEntry.self, in: list).rows.inOrder() }
    }

    /// The templates, by name. O(templates).
    public func templates() throws -> [Trip] {
        try read { views in
            try Templates.all(in: views.snapshot).compactMap { try views.entity(Trip.ID($0)) }
                .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        }
    }

    /// A trip with what belongs to it; nil if it is not there. O(that).
    public func contents(of trip: Trip.ID) throws -> TripContents? {
        try read { views in
            guard let found = try views.entity(trip) else { return nil }
            let lists = try views.checklists(of: trip)
            var contents = TripContents(
                trip: found, items: try views.items(of: trip).rows,
                budgets: try views.entities(Budget.self, in: trip).rows,
                checklists: lists, entries: try lists.flatMap { try views.entries(of: $0.id) })
            contents.rates = try views.entities(CurrencyRate.self, in: trip).rows
            return contents
        }
    }
}

extension TripViews {
    /// Whether an entity is a template, or belongs to one.
    package func isInTemplate(_ entity: EntityReference) throws -> Bool {
        try isIn(Templates.all(in: snapshot), entity)
    }

    /// Whether it is, by the templates that were read before: for many entities.
    func isIn(_ templates: Set<UUID>, _ entity: EntityReference) throws -> Bool {
        // Most stores have none, and then nothing more is read.
        if templates.isEmpty { return false }
        return try ([entity] + ancestors(of: entity)).contains { $0.kind.unlisted != nil && templates.contains($0.id) }
    }
}
