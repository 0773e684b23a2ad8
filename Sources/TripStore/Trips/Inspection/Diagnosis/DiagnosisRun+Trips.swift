import EventLog
import Trips

/// Trips, their items, and what belongs to none.
extension DiagnosisRun {
    /// How many days before or after its trip an item is far outside of it.
    private static let farDays = 31

    mutating func checkEntities(of store: TripStore) {
        checkTrips(of: store)
        checkUnfiled(in: store)
        checkDuplicates(in: store)
    }

    private mutating func checkTrips(of store: TripStore) {
        check("the trips") { run in
            try store.forEachTrip { trip in
                run.checkDays(of: trip, trip.startDay, trip.endDay, "The trip '\(trip.name)'")
                run.check("the items of the trip \(trip.id)") { run in
                    for course in ItemCourse.all(of: try store.read { try $0.items(of: trip.id).rows }) {
                        run.check(course, in: trip)
                    }
                }
            }
        }
    }

    private mutating func check(_ course: ItemCourse, in trip: Trip) {
        let item = course.item
        let noun = item.kind == .lodging ? "stay" : item.kind == .activity ? "activity" : "journey"
        checkDays(of: item.entity, item.startDay, item.endDay, "The \(noun) '\(item.name)'")
        if case .lodging(let stay) = item {
            checkOrder(item, stay.checkIn, stay.checkOut, "checks out")
            checkZones(of: item, [stay.checkIn, stay.checkOut])
        }
        checkOrder(item, item.start, item.end, item.kind == .transportation ? "arrives" : "ends")
        checkZones(of: item, [item.start, item.end])
        guard let days = course.span else { return }
        let early = trip.startDay.map { days.upperBound.distance(to: $0) } ?? 0
        let late = trip.effectiveEndDay.map { $0.distance(to: days.lowerBound) } ?? 0
        guard max(early, late) > Self.farDays else { return }
        add(
            .farOutsideOfTrip,
            "'\(item.name)' is on \(days.lowerBound), \(max(early, late)) days \(early > late ? "before" : "after") the trip '\(trip.name)'.",
            [item.reference, trip.reference])
    }

    private mutating func checkDays(of entity: some TripEntity, _ first: Day?, _ last: Day?, _ noun: String) {
        guard let first, let last, last < first else { return }
        add(.reversedDays, "\(noun) ends on \(last), before it begins on \(first).", [entity.reference])
    }

    private mutating func checkOrder(
        _ item: TripItem, _ start: Moment?, _ end: Moment?, _ verb: String
    ) {
        guard let start, let end, end.milliseconds < start.milliseconds else { return }
        add(
            .endBeforeStart, "'\(item.name)' begins at \(start) and \(verb) at \(end), which is before that.",
            [item.reference])
    }

    private mutating func checkZones(of item: TripItem, _ moments: [Moment?]) {
        let unknown = moments.compactMap { $0 }.first { $0.timeZone == nil }
        guard let unknown else { return }
        add(
            .unknownZone, "'\(item.name)' has a time in the zone '\(unknown.zone)', which this platform does not know.",
            [item.reference])
    }

    private mutating func checkUnfiled(in store: TripStore) {
        check("the items without a trip") { run in
            for item in try store.unfiledItems() {
                let trip = item.trip.map { "\($0)" } ?? "none"
                run.add(
                    .unfiledItem, "'\(item.name)' belongs to the trip \(trip), which never arrived here.",
                    [item.reference])
            }
        }
        checkUnfiled(AttachedFile.self, in: store, .orphanedAttachment)
        for kind in StoreKinds.all where kind != AttachedFile.self { checkUnfiled(kind, in: store, .unfiledEntity) }
    }

    private mutating func checkUnfiled<Entity: OwnEntity>(
        _ kind: Entity.Type, in store: TripStore, _ code: StoreFinding.Code
    ) {
        check("what belongs to nothing that is there") { run in
            for entity in try store.unfiled(kind) {
                let reference = entity.reference
                let name =
                    try store.read {
                        try $0.record(of: reference).map { reference.name(of: $0, in: store.knownSchema) }
                    } ?? ""
                let shown = name.isEmpty ? "\(entity.id)" : "'\(name)'"
                run.add(
                    code, "The \(Entity.kindName) \(shown) belongs to nothing that is there.", [reference])
            }
        }
    }
}

extension TripStore {
    /// Calls a closure with each trip but templates, page by page.
    func forEachTrip(_ body: (Trip) -> Void) throws {
        for query in [Query<Trip>.dated, .undated] {
            var cursor: PageCursor?
            repeat {
                let page = try read { try $0.fetch(query.limit(1_000), after: cursor) }
                for trip in page { body(trip) }
                cursor = page.next
            } while cursor != nil
        }
    }
}
