import ArgumentParser
import Foundation
import TripStore

extension FieldOptions {
    /// Sets the fields of an entity that options were given for. Throws if a value cannot be, names what is not there, or if
    /// an option is of another kind. `others` say who takes part, and so where they are.
    func apply<Entity: TripEntity>(to entity: inout Entity, in store: TripStore, before others: OwnFieldOptions) throws
    {
        try refuseOthers(for: entity)
        // A zone that is not given is that of the start, if that one is known, or of the trip then, and a currency that of the cost.
        var zone: String?
        var taken: String?
        var currency: String?
        let scope = try scope(in: store)
        for (field, options) in FieldOption.all(for: Entity.fieldOutlines) where !field.isAdded {
            let present = entity.fieldValue(field.number)
            var isTaken = false
            if options.contains(where: { texts[$0.name] != nil || flags[$0.name] != nil }) {
                let draft = entity
                let input = FieldInput(
                    field: field, options: options, texts: texts, flags: flags, scope: scope,
                    choice: { Entity.choice(field.number, named: $0) },
                    tripZone: { time in
                        var draft = draft
                        try applyAdded(to: &draft, in: store)
                        try others.apply(to: &draft, in: store)
                        return try draft.tripZone(reading: time, in: store)
                    })
                entity.setField(
                    field.number, to: try input.value(present, in: store, zone: zone, taken: taken, currency: currency))
                isTaken = try zone == nil && input.namedZone(present) == nil
            }
            if let money = entity.fieldValue(field.number) as? Money { currency = currency ?? money.currency.code }
            if let moment = entity.fieldValue(field.number) as? Moment {
                if isTaken { taken = taken ?? moment.zone } else { zone = zone ?? moment.zone }
            }
        }
        try applyAdded(to: &entity, in: store)
    }

    /// Sets the fields in a namespace. They name travellers, whom the trip that the entity has by now tells from others of the name.
    private func applyAdded<Entity: TripEntity>(to entity: inout Entity, in store: TripStore) throws {
        for (field, options) in FieldOption.all(for: Entity.fieldOutlines) where field.isAdded {
            guard let text = options.first.flatMap({ texts[$0.name] }) else { continue }
            try OwnFieldOptions.set(field.name, to: text, of: &entity, in: store)
        }
    }

    private func refuseOthers<Entity: TripEntity>(for entity: Entity) throws {
        let own = Set(FieldOption.all(for: Entity.fieldOutlines).flatMap(\.options).map(\.name))
        // Entities without a trip of their own are looked up in one.
        let wrong = given.filter { !own.contains($0.name) && $0.name != "trip" }.map(\.typed)
        guard wrong.isEmpty else {
            let (fit, them) = wrong.count == 1 ? ("does not fit", "it") : ("do not fit", "them")
            throw CommandError(
                "\(UnknownOptions.words(wrong, "and")) \(fit): \(entity.reference.id.uuidString) is of the kind "
                    + "\(entity.reference.kindWords). Leave \(them) out.")
        }
    }
}

/// What was typed for one field.
private struct FieldInput {
    let field: FieldOutline
    let options: [FieldOption]
    let texts: [String: String]
    let flags: [String: Bool]
    /// The trip in which names are looked up.
    let scope: Trip.ID?
    /// The value of a choice by its name.
    let choice: (String) -> Any?
    /// The zone in which the item's trip has a local time, and the trip's name.
    let tripZone: (String) throws -> (zone: String, trip: String)?

    private func option(_ part: FieldOption.Part) -> FieldOption? { options.first { $0.part == part } }

    private func text(_ part: FieldOption.Part) -> String? { option(part).flatMap { texts[$0.name] } }

    private func typed(_ part: FieldOption.Part) -> String { option(part)?.typed ?? "" }

    /// The new value; `present` is the one that the field has, `zone` that of a moment before it, `taken` one in which a moment before it was
    /// read, `currency` that of an amount before it.
    func value(_ present: Any?, in store: TripStore, zone: String?, taken: String?, currency: String?) throws -> Any? {
        let whole = text(.whole)
        return switch field.form {
        case .text, .data, .entity: whole
        case .flag: option(.whole).flatMap { flags[$0.name] }
        case .integer: try number(whole, Int.init)
        case .number: try number(whole, Double.init)
        case .day: whole.flatMap { Day($0) }
        case .uuid: whole.flatMap { UUID(uuidString: $0) }
        case .instant: try whole.map { try Moment(parsing: $0, in: "UTC").date }
        case .moment: try moment(present as? Moment, or: zone, taken)
        case .money: try money(present as? Money, or: currency)
        case .address: try address(present as? Address)
        // A word as JSON prints it, or as the help lists it.
        case .choice(let words): words.first { $0 == whole || $0.kebab == whole }.flatMap(choice)
        case .reference(let kind): try reference(to: kind, whole ?? "", in: store)
        }
    }

    private func number<Number>(_ text: String?, _ read: (String) -> Number?) throws -> Number? {
        try text.map { text in
            guard let number = read(text) else {
                throw ArgumentParser.ValidationError("'\(text)' is no value of \(typed(.whole)). Give a number.")
            }
            return number
        }
    }

    /// The zone that was typed, or that the field has.
    func namedZone(_ present: Any?) throws -> String? {
        try text(.zone) ?? text(.whole).flatMap { try PrintedMoment(json: $0) }?.zone ?? (present as? Moment)?.zone
    }

    private func moment(_ present: Moment?, or fallback: String?, _ taken: String?) throws -> Moment {
        let time = text(.whole)
        let printed = try time.flatMap { try PrintedMoment(json: $0) }
        var named = try namedZone(present) ?? fallback
        if named == nil, let time {
            let ofTrip = try tripZone(time)
            named = try ofTrip?.zone ?? taken ?? Configuration.current()[.timeZone]
            let source = ofTrip.map { ", as the trip '\($0.trip)' is then" } ?? ", as the configuration says"
            if let named, named != taken {
                Console.current.note("\(typed(.whole)) \(time) was taken in \(named)\(source).")
            }
        }
        guard let zone = named else {
            throw ArgumentParser.ValidationError(
                "\(typed(.whole)) needs its zone: add \(typed(.zone)), as in Europe/Lisbon.")
        }
        // A zone alone corrects the zone: the clocks there show the same time.
        guard let time = printed?.time ?? time ?? present?.localTime else {
            throw ArgumentParser.ValidationError("\(typed(.zone)) needs \(typed(.whole)) beside it.")
        }
        let local = try LocalTime(parsing: time, in: zone)
        if let warning = local.warning { Console.current.warn("\(typed(.whole)) \(warning)") }
        return local.moment
    }

    private func money(_ present: Money?, or fallback: String?) throws -> Money {
        guard let amount = text(.whole) else {
            throw ArgumentParser.ValidationError(
                "\(typed(.currency)) needs \(typed(.whole)) beside it: an amount is not converted.")
        }
        if let printed = try PrintedMoney(json: amount) {
            return Money(minorUnits: printed.minor, Currency(unchecked: printed.currency))
        }
        guard let code = try text(.currency) ?? present?.currency.code ?? fallback ?? Configuration.current()[.currency]
        else {
            throw ArgumentParser.ValidationError(
                "\(typed(.whole)) needs its currency: add \(typed(.currency)), as in EUR.")
        }
        return try Money(parsing: amount, Currency(code) ?? Currency(unchecked: code))
    }

    private func address(_ present: Address?) throws -> Address? {
        var address = present ?? Address()
        let parts: [(FieldOption.Part, WritableKeyPath<Address, String>)] = [
            (.street, \.street), (.city, \.city), (.state, \.state), (.country, \.country),
            (.postalCode, \.postalCode), (.formatted, \.formatted),
        ]
        for (part, property) in parts { if let text = text(part) { address[keyPath: property] = text } }
        let (latitude, longitude) = (text(.latitude).flatMap(Double.init), text(.longitude).flatMap(Double.init))
        if latitude != nil || longitude != nil {
            guard let latitude = latitude ?? address.coordinates?.latitude,
                let longitude = longitude ?? address.coordinates?.longitude
            else { throw ArgumentParser.ValidationError("Give \(typed(.latitude)) and \(typed(.longitude)) together.") }
            address.coordinates = Coordinates(latitude: latitude, longitude: longitude)
        }
        return address.isEmpty ? nil : address
    }

    private func reference(to kind: EntityKind, _ text: String, in store: TripStore) throws -> Any? {
        guard let argument = EntityArgument(argument: text) else { return nil }
        if let kind = field.storeKind { return try store.id(argument, of: kind, in: scope) }
        if kind == .trip { return try store.trip(argument) }
        let reference = try store.entity(argument, of: [kind])
        let id = Organization.ID(reference.id)
        guard try store.entity(id) != nil else {
            throw TripStoreError(
                .deleted,
                "There is no organization with the id \(id): it was deleted. Restore it with 'tripstore restore \(id)'.",
                entity: reference)
        }
        return id
    }
}

extension TripEntity {
    /// The zone in which the trip of an item has a local time that names none, and the trip's name; nil where nothing tells.
    fileprivate func tripZone(reading time: String, in store: TripStore) throws -> (zone: String, trip: String)? {
        guard let item = TripItem(self), let trip = try item.trip.flatMap({ try store.trip($0) }) else {
            return nil
        }
        let others = try store.items(of: trip.id).rows.filter { $0.reference != reference }
        return TripClocks(others).zone(reading: time, of: item.participants).map { ($0, trip.name) }
    }
}
