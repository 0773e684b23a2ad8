import ArgumentParser
import Foundation
import TripStore

/// Reads the days and moments of an entity as people write them: what they leave out follows from the trip, the place and the entity's own ends.
///
/// A moment's zone is the first of these that is known: the one that is given, that the field has, of the place, of an end before it whose zone
/// was given, of those who travel then, of another end, of the trip's destination, of the configuration, and of this device.
struct FieldTimes<Entity: TripEntity> {
    /// With what was read so far.
    private(set) var entity: Entity
    let store: TripStore
    let texts: [String: String]
    /// The trip of --trip.
    let scope: Trip.ID?
    /// The words before what an option means; nil where that is not said.
    let says: (FieldOption) -> String?
    /// Adds who takes part to a draft.
    let addOthers: (inout Entity) throws -> Void
    /// The zone of a moment before it that was given, and one that was found.
    private var zone: String?
    private var taken: String?

    init(
        _ entity: Entity, in store: TripStore, _ texts: [String: String], scope: Trip.ID?,
        says: @escaping (FieldOption) -> String?, addOthers: @escaping (inout Entity) throws -> Void
    ) {
        (self.entity, self.store, self.texts, self.scope) = (entity, store, texts, scope)
        (self.says, self.addOthers) = (says, addOthers)
    }

    private func say(_ option: FieldOption, _ text: String) {
        if let words = says(option) { Console.current.note("\(words)\(text).".visible) }
    }

    // MARK: Days

    /// The day that the option of a field says.
    func day(_ field: FieldOutline, _ option: FieldOption) throws -> Day? {
        guard let text = texts[option.name] else { return nil }
        if let day = Day(text) { return day }
        let day = try context(for: field).day(of: text)
        say(option, day.echo)
        return day
    }

    private func context(for field: FieldOutline) throws -> WhenContext {
        var context = try WhenContext.current()
        let trip = try trip()
        if let first = trip?.startDay ?? trip?.effectiveEndDay {
            context.trip = first...max(first, trip?.effectiveEndDay ?? first)
        }
        let beginning = beginnings[field.name].flatMap { $0.lazy.compactMap(written).first }
        context.beginning = beginning?.day
        // An end before what is now the beginning tells no day.
        let least: Day = field.name == "end" ? beginning?.day ?? .first : .first
        if let present = written(field.name) ?? written(field.name + "Day"), present.day >= least {
            context.clock = (present.day, nil)
        } else if let beginning {
            context.clock = (beginning.day, field.name == "end" ? beginning.time : nil)
        } else if context.trip?.contains(context.today) != true {
            context.clock = try lastPlanned()
        }
        guard field.name != "end" || texts["nights"] == nil || beginning != nil else {
            throw ArgumentParser.ValidationError("--nights needs the first day: add --from.")
        }
        return context
    }

    /// The day of a field of the entity, and the time of day if it has one.
    private func written(_ name: String) -> (day: Day, time: String?)? {
        switch Entity.fieldNumber(named: name).flatMap(entity.fieldValue) {
        case let moment as Moment: moment.written
        case let day as Day: (day, nil)
        default: nil
        }
    }

    private func trip() throws -> Trip? { try (TripItem(entity)?.trip ?? scope).flatMap { try store.trip($0) } }

    private func others() throws -> [TripItem] {
        guard let trip = TripItem(entity)?.trip else { return [] }
        return try store.items(of: trip).rows.filter { $0.reference != entity.reference }
    }

    /// The end of the item that was planned last.
    private func lastPlanned() throws -> (day: Day, after: String?)? {
        let dated = try others().filter { $0.start != nil }
        let last = dated.max { ($0.createdAt ?? .distantPast) < ($1.createdAt ?? .distantPast) }
        return (last?.effectiveEnd ?? last?.start).map { ($0.written.day, $0.written.time) }
    }

    // MARK: Moments

    /// Sets the field of a moment to what its options say; a day alone is that of an item without a time.
    mutating func read(_ field: FieldOutline, _ options: [FieldOption]) throws {
        let present = entity.fieldValue(field.number) as? Moment
        guard let whole = options.first(where: { $0.part == .whole }),
            let ofZone = options.first(where: { $0.part == .zone }),
            texts[whole.name] != nil || texts[ofZone.name] != nil
        else {
            zone = zone ?? present?.zone
            return
        }
        let text = texts[whole.name]
        let printed = try text.flatMap { try PrintedMoment(json: $0) }
        var time = printed?.time ?? text
        var isInWords = false
        if printed == nil, let text, (try? Moment(parsing: text, in: "UTC")) == nil {
            isInWords = true
            let meaning = try context(for: field).meaning(of: text)
            guard let clock = meaning.time ?? present?.written.time else {
                return try set(field, whole, ofZone, to: meaning.day)
            }
            time = "\(meaning.day)T\(clock)"
        }
        // A zone alone corrects the zone: the clocks there show the same time.
        guard let time = time ?? present?.localTime else {
            throw ArgumentParser.ValidationError("\(ofZone.typed) needs \(whole.typed) beside it.")
        }
        let named = texts[ofZone.name] ?? printed?.zone ?? present?.zone
        let found: (zone: String, source: String?) =
            if let named { (named, nil) } else { try guess(time, atEnd: beginnings[field.name] != nil) }
        let local = try LocalTime(parsing: time, in: found.zone)
        if let warning = local.warning, says(whole) != nil { Console.current.warn("\(whole.typed) \(warning)") }
        entity.setField(field.number, to: local.moment)
        if isInWords || found.source != nil && found.zone != taken && found.zone != zone {
            say(whole, local.moment.echo + (found.source ?? ""))
        }
        if named == nil, zone == nil { taken = taken ?? found.zone } else { zone = zone ?? found.zone }
    }

    private mutating func set(
        _ field: FieldOutline, _ option: FieldOption, _ ofZone: FieldOption, to day: Day
    ) throws {
        guard let number = Entity.fieldNumber(named: field.name + "Day"), texts[ofZone.name] == nil else {
            throw ArgumentParser.ValidationError("\(option.typed) \(day) needs a time, as in '\(day) 10:00'.")
        }
        entity.setField(number, to: day)
        if texts[option.name] != "\(day)" { say(option, day.echo) }
    }

    /// A zone that nobody named, and where it is from; nil for that of another end.
    private func guess(_ time: String, atEnd: Bool) throws -> (zone: String, source: String?) {
        var draft = entity
        try addOthers(&draft)
        let (trip, others) = (try trip(), try others())
        let item = TripItem(draft)
        if let item, let found = PlaceZone.of(item, atEnd: atEnd, among: others) {
            return (found.zone, ", the zone of \(found.place)")
        }
        if let zone { return (zone, nil) }
        if let item, let trip, let zone = TripClocks(others).zone(reading: time, of: item.participants) {
            return (zone, ", as the trip '\(trip.name)' is then")
        }
        if let taken { return (taken, nil) }
        let destination = trip?.destination.split(separator: ",").first.map(String.init) ?? ""
        if item?.kind != .transportation, let zone = PlaceZone.zone(of: destination) {
            return (zone, ", the zone of \(destination)")
        }
        if let zone = try Configuration.current()[.timeZone] { return (zone, ", as the configuration says") }
        return (Console.current.timeZone.identifier, ", the zone of this device")
    }
}

/// The fields with which what a field ends begins, the first of them that has a value.
private let beginnings = [
    "end": ["start", "startDay"], "endDay": ["startDay", "start"], "endDate": ["startDate"],
    "checkIn": ["start", "startDay"], "checkOut": ["end", "endDay", "start", "startDay"],
]

extension Moment {
    /// The day and the time of day that clocks there show.
    fileprivate var written: (day: Day, time: String?) { (localDay, String(localTime.dropFirst(11).prefix(5))) }
}
