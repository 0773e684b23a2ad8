/// A trip with what belongs to it and the store knows: as it is read for a copy, and as the copy is.
public struct TripContents: Hashable, Sendable {
    public var trip: Trip
    public var items: [TripItem]
    public var budgets: [Budget]
    public var checklists: [Checklist]
    /// The entries of all the checklists.
    public var entries: [ChecklistEntry]
    package var rates: [CurrencyRate] = []

    package init(
        trip: Trip, items: [TripItem] = [], budgets: [Budget] = [], checklists: [Checklist] = [],
        entries: [ChecklistEntry] = []
    ) {
        self.trip = trip
        self.items = items
        self.budgets = budgets
        self.checklists = checklists
        self.entries = entries
    }

    /// From which day shifts are counted: the trip's first; without one the first of an item.
    package var firstDay: Day? {
        trip.startDay ?? ItemCourse.all(of: items).compactMap(\.span?.lowerBound).min() ?? trip.endDay
    }

    /// How many days later the trip is if it begins on a day; 0 if nothing of it has a day.
    package func days(to day: Day) -> Int { firstDay.map { $0.distance(to: day) } ?? 0 }

    // MARK: Moving

    /// Contents so many days later, each local time kept in its zone: of the trip, its items and the entries.
    package func shifted(byDays days: Int) -> TripContents {
        var shifted = self
        shifted.trip.shift(byDays: days)
        for index in items.indices { shifted.items[index].modify { $0.shift(byDays: days) } }
        for index in entries.indices { shifted.entries[index].shift(byDays: days) }
        return shifted
    }

    /// Contents moved so that the trip begins on a day. If nothing of it has a day, the trip gets that one.
    package func shifted(to day: Day) -> TripContents {
        guard firstDay == nil else { return shifted(byDays: days(to: day)) }
        var shifted = self
        shifted.trip.startDay = day
        return shifted
    }

    /// The edits that make these contents others with the same entities; each writes only the fields that differ.
    package func edits(to others: TripContents) -> [TripEvent] {
        let items = zip(items, others.items).compactMap { $0.edit(to: $1) }
        let entries = zip(entries, others.entries).compactMap { TripEvent.edited(from: $0, to: $1) }
        return [TripEvent.edited(from: trip, to: others.trip)].compactMap { $0 } + items + entries
    }

    // MARK: Copying

    /// A copy with ids of its own. It is not archived, was not imported, has no cover, and nothing in its checklists is done; apps' own fields
    /// are copied, entities of apps' kinds and attachments are not.
    ///
    /// - Parameters:
    ///   - days: by how many days it is later: `shifted(to:)` puts it on a day.
    ///   - name: nil for that of the trip.
    public func copied(
        as kind: TripCopyKind = .trip, shiftedByDays days: Int = 0, named name: String? = nil,
        without left: Set<TripPart> = []
    ) -> TripContents {
        var copy = TripContents(trip: trip.copied(as: .new()))
        copy.trip.isTemplate = kind == .template
        copy.trip.archivedAt = nil
        copy.trip.originalCreation = nil
        // It names an attachment of the original.
        copy.trip.cover = nil
        if left.contains(.payments) { copy.trip.stage = copy.trip.stage.ofCopy }
        if let name { copy.trip.name = name }
        if left.contains(.travellers) { copy.trip.travellers = [] }
        copy.items = items.map { $0.copied(to: copy.trip.id, without: left) }
        if !left.contains(.budgets) { copy.budgets = copy.own(budgets, \.trip) }
        // Each of its day, on whatever days the copy is.
        if !left.contains(.costs) { copy.rates = copy.own(rates, \.trip) }
        if !left.contains(.checklists) { copy.copyLists(of: self, without: left) }
        return copy.shifted(byDays: days)
    }

    /// Copies of what belongs to another trip, for this one.
    private func own<Part: TripEntity>(_ parts: [Part], _ owner: WritableKeyPath<Part, Trip.ID?>) -> [Part] {
        parts.map { part in
            var part = part.copied(as: .new())
            part[keyPath: owner] = trip.id
            return part
        }
    }

    private mutating func copyLists(of others: TripContents, without left: Set<TripPart>) {
        for list in others.checklists.inOrder() {
            var copy = list.copied(as: .new())
            copy.trip = trip.id
            checklists.append(copy)
            // Entries without ranks keep the order in which they are written.
            for entry in others.entries.filter({ $0.list == list.id }).inOrder() {
                var entry = entry.copied(as: .new())
                entry.list = copy.id
                entry.isDone = false
                if left.contains(.travellers) { entry.assignee = nil }
                entries.append(entry)
            }
        }
        checklists.rankInOrder()
        for list in checklists {
            var ranked = entries.filter { $0.list == list.id }
            ranked.rankInOrder()
            entries.removeAll { $0.list == list.id }
            entries += ranked
        }
    }

    /// The events that create all of it: what contains others before them.
    public var creations: [TripEvent] { creations(in: nil) }

    /// The events for a store, which knows what fields show that replace others.
    package func creations(in known: KnownSchema?) -> [TripEvent] {
        [.created(trip, in: known)] + items.map { .created($0.entity, in: known) }
            + budgets.map { .created($0, in: known) } + checklists.map { .created($0, in: known) }
            + entries.map { .created($0, in: known) } + rates.map { .created($0, in: known) }
    }
}

extension PlanningStage {
    /// Of a copy without payments: what is booked, cancelled or done is so with a payment. An idea stays one.
    fileprivate var ofCopy: PlanningStage { self == .idea ? .idea : .planned }
}

extension Array where Element: Ranked {
    /// Gives all of them ranks in the order that they have. One commit creates all of them, so times do not tell their order.
    fileprivate mutating func rankInOrder() {
        var generator = SystemRandomNumberGenerator()
        let ranks = Rank.ascending(map(\.rank), using: &generator)
        for (index, rank) in zip(indices, ranks) { self[index].rank = rank }
    }
}

extension TripItem {
    fileprivate func edit(to other: TripItem) -> TripEvent? { Self.edit(entity, to: other.entity) }

    private static func edit<Entity: TripEntity>(_ old: Entity, to new: any TripEntity) -> TripEvent? {
        (new as? Entity).flatMap { .edited(from: old, to: $0) }
    }

    fileprivate func copied(to trip: Trip.ID, without left: Set<TripPart>) -> TripItem {
        var copy = self
        copy.modify { $0 = $0.copied() }
        copy.common.leaveOut(left, in: trip)
        return copy
    }
}

extension TripEntity {
    fileprivate func copied() -> any TripEntity { copied(as: .new()) }
}

extension Item {
    fileprivate mutating func leaveOut(_ left: Set<TripPart>, in trip: Trip.ID) {
        self.trip = trip
        leaveForms()
        if left.contains(.costs) {
            cost = nil
            split = .equally
        }
        if left.contains(.payments) {
            paid = .none
            paidAmount = nil
            payer = nil
            stage = stage.ofCopy
        }
        // A word that only a newer version knows is not written by this one: all pay equally, as they do here.
        let word = EntitySchema.Field.split.number
        if split == .equally, own[word] != nil { own[word] = nil }
        leaveOutRefusedShares()
        if left.contains(.confirmations) { reservation = "" }
        if left.contains(.travellers) {
            participants = []
            payer = nil
            split = .equally
        }
    }

    /// Leaves out shares below 0 of a cost that is no refund: merges and earlier versions bring such, and they count nothing.
    fileprivate mutating func leaveOutRefusedShares() {
        let parts: [Traveller.ID: Int] = self[OwnMap(.parts)]
        if parts.contains(where: { $0.value < 0 }) { self[OwnMap(.parts)] = parts.filter { $0.value >= 0 } }
        let amounts: [Traveller.ID: Money] = self[OwnMap(.amounts)]
        guard let cost, cost.minorUnits >= 0, amounts.contains(where: { $0.value.minorUnits < 0 }) else { return }
        self[OwnMap(.amounts)] = amounts.filter { $0.value.minorUnits >= 0 }
    }
}

/// A part of a trip that a copy may leave out.
public enum TripPart: CaseIterable, Sendable {
    /// The costs of items, how they are shared, and the rates of currencies.
    case costs
    /// The payments and the payers. In a copy without them, the trip and its items that are booked, cancelled or done
    /// are planned; ideas stay ideas.
    case payments
    /// The numbers of reservations and confirmations.
    case confirmations
    /// The travellers of the trip, participants, payers and assignees.
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
