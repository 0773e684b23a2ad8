import Events
import TripStore

/// Decides into which trip each item of a file comes, compares it with the store, and sends what is necessary. Used on one thread.
struct ForeignPlanner {
    /// How many items are looked up in one go, and how many tracks, whose bytes are stored first.
    private static let itemsAtOnce = 256
    private static let tracksAtOnce = 16

    struct Placed {
        let entry: ForeignFile.Entry
        enum Goal: Equatable {
            case fileTrip
            case trip(Trip.ID)
            /// Where it is: nothing of it comes.
            case held
        }

        let entity: EntityReference
        let goal: Goal
        let moves: Bool
    }

    private let file: ForeignFile
    let target: ImportOptions.Destination
    let isDryRun: Bool
    /// The trips in which the file has items, or had some before.
    private(set) var trips: Set<Trip.ID> = []
    var sender: ImportSender
    private var seen = KnownHashes()
    private(set) var fileTrip: ForeignTrip
    let exported: [Trip.ID: ForeignTrip]
    var tripsByDays: [ClosedRange<Day>: Trip.ID?] = [:]
    private var heldSeries: HeldSeries
    private var heldBookings = HeldBookings()
    private var organizations = KnownHashes()
    private var isFileTripSent = false
    private var areTripsSent = false
    /// How many entries were planned.
    private var done = 0
    private let progress: (@Sendable (ImportProgress) -> Void)?

    init(
        _ file: ForeignFile, _ options: ImportOptions, _ sender: ImportSender,
        _ progress: (@Sendable (ImportProgress) -> Void)?
    ) {
        self.file = file
        let target = options.destination
        (self.target, isDryRun) = (target, options.isDryRun)
        self.sender = sender
        self.progress = progress
        heldSeries = HeldSeries(provider: file.provider)
        switch target {
        case .named(let name): fileTrip = ForeignTrip(id: .derived(from: "import", "trip:\(name)"), name: name)
        case .trip, .byDays:
            fileTrip = ForeignTrip(id: .derived(from: file.provider, "trip:\(file.name)"), name: file.name)
        }
        // Into a trip that is named the items come without their own.
        var exported: [Trip.ID: ForeignTrip] = [:]
        if case .byDays = target {
            for trip in file.trips where exported[trip.id] == nil { exported[trip.id] = trip }
        }
        self.exported = exported
        // A trip that an import of the same file made, and that came back in an export.
        if let own = exported[fileTrip.id] { fileTrip = own }
    }

    mutating func run() throws {
        let tracks = try place(file.tracks)
        let file = file
        let warnings = try file.forEachBatch { entries, isLast in try plan(entries, tracks, isLast) }
        for warning in warnings { sender.tally.warn(warning) }
        for tracks in tracks[...].chunks(of: Self.tracksAtOnce) { try send(tracks.compactMap(record)) }
        try sender.send()
    }

    private mutating func plan(_ entries: [ForeignFile.Entry], _ tracks: [PlacedTrack], _ isLast: Bool) throws {
        var placed: [Placed] = []
        for entries in entries[...].chunks(of: Self.itemsAtOnce) { placed += try place(entries) }
        if isLast, let (first, count) = heldBookings.recognised {
            let words = count == 1 ? "An event has" : "\(count.counted("event")) have"
            sender.tally.warn(
                "\(first): \(words) another UID than before, and \(count.agreeing("is", "are")) recognised by booking, name or times."
            )
        }
        let organizations = organizationRecords(of: placed)
        for records in organizations[...].chunks(of: Self.itemsAtOnce) { try send(Array(records)) }
        try sendTrips(placed, tracks)
        // The items of a trip follow one another, so that its record is compared once.
        let groups = Dictionary(grouping: placed) { placed in
            if case .trip(let trip) = placed.goal { trip } else { fileTrip.id }
        }
        // An export says the days of its trip.
        trips = trips.union(groups.keys).subtracting(exported.keys)
        var sent = 0
        for (_, items) in groups.sorted(by: { $0.key < $1.key }) {
            for items in items[...].chunks(of: Self.itemsAtOnce) {
                try send(items.map(record))
                sent += items.count
                let read = done + entries.count * sent / placed.count
                progress?(
                    ImportProgress(
                        stage: .importing, bytesRead: file.size * Int64(read) / Int64(max(1, file.count)),
                        total: file.size))
            }
        }
        done += entries.count
    }

    /// Sends the trips of an export, once, and that of the file with the first items or tracks that it has.
    ///
    /// Of a file of several batches the trip gets the days of the first; in the end `TripStore.followItems(of:by:)` corrects them.
    private mutating func sendTrips(_ placed: [Placed], _ tracks: [PlacedTrack]) throws {
        var trips = areTripsSent ? [] : exported.values.sorted { $0.id < $1.id }
        areTripsSent = true
        let isFilled = placed.contains { $0.goal == .fileTrip } || tracks.contains { $0.trip == nil }
        if exported[fileTrip.id] == nil, isFilled, !isFileTripSent {
            let items = placed.filter { $0.goal == .fileTrip }.map(\.entry.item)
            // As `Trip.follow(_:start:end:)` has them later; of a file of nothing but ideas all.
            let real = items.filter { $0.stage != .idea && $0.stage != .cancelled }.compactMap(\.days)
            let known = real.isEmpty ? items.compactMap(\.days) : real
            let days = known.isEmpty ? tracks.filter { $0.trip == nil }.compactMap(\.track.days) : known
            if let first = days.map(\.lowerBound).min(), let last = days.map(\.upperBound).max() {
                fileTrip.days = first...last
            }
            isFileTripSent = true
            trips.append(fileTrip)
        }
        for trips in trips[...].chunks(of: Self.itemsAtOnce) { try send(trips.map { .foreignTrip($0) }) }
    }

    /// The organizations that items name, each once for the file.
    private mutating func organizationRecords(of placed: [Placed]) -> [ImportRecord] {
        placed.compactMap { placed in
            guard let organization = placed.entry.item.organization, !organization.name.isEmpty,
                organizations.insert(organization.id)
            else { return nil }
            return .foreignOrganization(
                ForeignOrganizationRecord(organization: organization, place: placed.entry.place))
        }
    }

    private mutating func send(_ records: [ImportRecord]) throws {
        try sender.checkOpen()
        let state = try ImportState(
            records.map(\.entity) + Set(records.compactMap(\.owner)), sender.basis, in: sender.store)
        for (record, decision) in zip(records, try state.decide(records)) {
            try sender.add(record, decision, at: state.position)
            try sender.sendIfFull()
        }
    }

    private func record(_ placed: Placed) -> ImportRecord {
        let destination: ForeignItemRecord.Destination =
            switch placed.goal {
            case .trip(let trip) where trip != fileTrip.id: exported[trip].map { .brought($0) } ?? .here(trip)
            case .trip, .fileTrip: .brought(fileTrip)
            case .held: .held
            }
        return .foreignItem(
            ForeignItemRecord(
                entity: placed.entity, item: placed.entry.item, destination: destination, moves: placed.moves,
                origin: placed.entry.origin, place: placed.entry.place))
    }

    // MARK: Which trip

    private mutating func place(_ entries: ArraySlice<ForeignFile.Entry>) throws -> [Placed] {
        try sender.checkOpen()
        let entries = try entries.map { entry in
            var entry = entry
            if let series = entry.series { entry.candidates += try heldSeries.items(of: series, sender) }
            return entry
        }
        let state = try ImportState(
            entries.flatMap(\.candidates) + Set(entries.compactMap { $0.trip?.reference }), sender.basis,
            in: sender.store)
        return try entries.flatMap { entry in
            // What a store exported names its entities itself.
            let found = entry.origin == nil ? entry.candidates.map { state.form(of: $0) } : entry.candidates
            let held = found.filter { state.created($0) != nil }
            trips.formUnion(held.compactMap { state.created($0)?.parent.flatMap { Trip.ID($0) } })
            if entry.isCancellation { return cancelled(entry, held, state) }
            return try placed(entry, held.first, state).map { [$0] } ?? []
        }
    }

    /// The items that do not take place, of those that are held. It may be said of one twice.
    private mutating func cancelled(
        _ entry: ForeignFile.Entry, _ held: [EntityReference], _ state: ImportState
    ) -> [Placed] {
        let isOfAll = entry.series.map { $0.start == nil } ?? false
        return (isOfAll ? held[...] : held.prefix(1)).filter {
            state.created($0)?.isDeleted == false && seen.insert($0)
        }.map { Placed(entry: entry, entity: $0, goal: .held, moves: false) }
    }

    /// Nil for what is left out.
    private mutating func placed(
        _ entry: ForeignFile.Entry, _ present: EntityReference?, _ state: ImportState
    ) throws -> Placed? {
        let goal = try goal(of: entry, present, state)
        let present = try present ?? recognised(entry, in: goal)
        guard let entity = present ?? entry.candidates.first else { return nil }
        if entry.isShown, present != nil {
            sender.tally.keep(entity.kind)
            return nil
        }
        guard seen.insert(entity) else {
            sender.tally.leaveOut(
                entity.kind, "\(entry.place): the \(entity.kind.words) is left out: a record before has the same id.")
            return nil
        }
        if case .byDays = target { return Placed(entry: entry, entity: entity, goal: goal, moves: false) }
        return Placed(entry: entry, entity: entity, goal: goal, moves: true)
    }

    /// The item of the trip that an event of a calendar is about, although its UID is new. One that no import made is only named: the file would
    /// write over what a person wrote.
    private mutating func recognised(_ entry: ForeignFile.Entry, in goal: Placed.Goal) throws -> EntityReference? {
        guard file.isCalendar, entry.origin == nil, entry.series == nil else { return nil }
        let trip = if case .trip(let trip) = goal { trip } else { fileTrip.id }
        let (named, seen) = (file.named, seen)
        func isFree(_ item: TripItem) -> Bool {
            let forms = item.forms?.all ?? [item.reference]
            return !forms.contains { named.contains($0) || seen.contains($0) }
        }
        guard let found = try heldBookings.item(like: entry.item, in: trip, of: sender.store, isFree: isFree) else {
            if let stay = heldBookings.stay(overlapping: entry.item, in: trip, isFree: isFree) {
                sender.tally.warn(
                    "\(entry.place): the lodging '\(stay.name.prefix(60))' (\(stay.id)) has some of the same nights, and may be the same. "
                        + "Delete one of the two if it is.")
            }
            return nil
        }
        let state = try ImportState([found.reference], sender.basis, in: sender.store)
        guard state.created(found.reference)?.isInBase != nil else {
            sender.tally.warn(
                "\(entry.place): the \(found.kind.words) '\(found.name.prefix(60))' (\(found.id)) seems to be the same, and no import made it. "
                    + "Delete one of the two if it is.")
            return nil
        }
        heldBookings.note(at: entry.place)
        return found.reference
    }
}

extension RandomAccessCollection where Index == Int {
    /// Its parts, each of so many elements but the last.
    fileprivate func chunks(of count: Int) -> [SubSequence] {
        stride(from: startIndex, to: endIndex, by: count).map { self[$0..<Swift.min($0 + count, endIndex)] }
    }
}
