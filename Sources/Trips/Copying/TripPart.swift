/// A part of a trip that a copy may leave out.
public enum TripPart: String, CaseIterable, Sendable {
    /// What items cost, and how that is shared.
    case costs
    /// What was paid, and by whom. The trip and its items that are booked, cancelled or done are planned then; ideas stay ideas.
    case payments
    /// The numbers of reservations and confirmations.
    case confirmations
    /// Who travels, takes part, pays and does something.
    case travellers
    case budgets
    case checklists
}

/// Whether a copy of a trip is a trip or a template.
public enum TripCopyKind: Sendable {
    case trip
    /// A model for trips, that no list has: see `Trip.isTemplate`.
    case template
}
