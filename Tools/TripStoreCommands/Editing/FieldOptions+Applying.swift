import ArgumentParser
import Foundation
import TripStore

extension FieldOptions {
    /// Sets the fields of an entity that options were given for. Throws if a value cannot be, names what is not there, or if
    /// an option is of another kind. `others` say who takes part, and so where they are; `says` is how it begins what an option means, where that is said.
    func apply<Entity: TripEntity>(
        to entity: inout Entity, in store: TripStore, before others: OwnFieldOptions,
        saying says: @escaping (FieldOption) -> String? = { "\($0.typed) is " }
    ) throws {
        try refuseOthers(for: entity)
        // A currency that is not given is that of the cost.
        var currency: String?
        let scope = try scope(in: store)
        func times(of entity: Entity) -> FieldTimes<Entity> {
            FieldTimes(entity, in: store, texts, scope: scope, says: says) { draft in
                try applyAdded(to: &draft, in: store)
                try others.apply(to: &draft, in: store)
            }
        }
        let fields = FieldOption.all(for: Entity.fieldOutlines).filter { !$0.field.isAdded }
        for (field, options) in fields where field.form != .moment {
            if options.contains(where: { texts[$0.name] != nil || flags[$0.name] != nil }) {
                let times = times(of: entity)
                let input = FieldInput(
                    field: field, options: options, texts: texts, flags: flags, scope: scope,
                    choice: { Entity.choice(field.number, named: $0) }, day: { try times.day(field, $0) })
                entity.setField(
                    field.number, to: try input.value(entity.fieldValue(field.number), in: store, currency: currency))
            }
            if let money = entity.fieldValue(field.number) as? Money { currency = currency ?? money.currency.code }
        }
        // Moments last: the place that an item has by then tells their zones.
        var times = times(of: entity)
        for (field, options) in fields where field.form == .moment { try times.read(field, options) }
        entity = times.entity
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
        let isFit = { (name: String) in name == "trip" || own.contains(name) || name == "nights" && entity is Lodging }
        let wrong = given.filter { !isFit($0.name) }.map(\.typed)
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
    /// The day that an option says.
    let day: (FieldOption) throws -> Day?

    private func option(_ part: FieldOption.Part) -> FieldOption? { options.first { $0.part == part } }

    private func text(_ part: FieldOption.Part) -> String? { option(part).flatMap { texts[$0.name] } }

    private func typed(_ part: FieldOption.Part) -> String { option(part)?.typed ?? "" }

    /// The new value; `present` is the one that the field has, `currency` that of an amount before it.
    func value(_ present: Any?, in store: TripStore, currency: String?) throws -> Any? {
        let whole = text(.whole)
        return switch field.form {
        case .text, .data, .entity, .moment: whole
        case .flag: option(.whole).flatMap { flags[$0.name] }
        case .integer: try number(whole, Int.init)
        case .number: try number(whole, Double.init)
        case .day: try option(.whole).flatMap(day)
        case .uuid: whole.flatMap { UUID(uuidString: $0) }
        case .instant: try whole.map { try Moment(parsing: $0, in: "UTC").date }
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

    private func money(_ present: Money?, or fallback: String?) throws -> Money {
        guard let amount = text(.whole) else {
            throw ArgumentParser.ValidationError(
                "\(typed(.currency)) needs \(typed(.whole)) beside it: an amount is not converted.")
        }
        if let printed = try PrintedMoney(json: amount) {
            return Money(minorUnits: printed.minor, Currency(unchecked: printed.currency))
        }
        let words = amount.split(separator: " ")
        if words.count == 2, words[1].allSatisfy(\.isASCII), text(.currency) == nil,
            let currency = Currency(words[1].uppercased())
        {
            return try Money(parsing: String(words[0]), currency)
        }
        guard let code = try text(.currency) ?? present?.currency.code ?? fallback ?? Configuration.current()[.currency]
        else {
            let number = amount.filter { $0.isASCII && ($0.isNumber || ".-".contains($0)) }
            throw ArgumentParser.ValidationError(
                "\(typed(.whole)) needs its currency: write '\(number.isEmpty ? "12.34" : number) EUR', or add \(typed(.currency))."
            )
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
