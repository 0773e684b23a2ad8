import Foundation
import TripStore

/// Asks people on a terminal for one value after another. Enter takes the default, `?` explains, and the end of the input leaves the command.
struct Asking {
    /// A script could answer for ever.
    private static let most = 20

    /// The options that are asked for, with what they are called then, in the order in which people plan. Places come before times, whose zones
    /// they tell.
    static let fields: [(option: String, label: String)] = [
        ("trip", "Trip"), ("name", "Name"), ("start-date", "First day"), ("end-date", "Last day"),
        ("destination", "Destination"), ("departure-name", "From"), ("arrival-name", "To"),
        ("custom-location-name", "Place"), ("start", "Starts"), ("end", "Ends"), ("cost", "Cost"),
    ]

    private let ask: @Sendable (String) -> String?

    /// Nil where nobody can be asked.
    init?() {
        guard let ask = Console.current.ask, !Console.current.isJSON else { return nil }
        self.ask = ask
    }

    /// Asks until `take` accepts the answer, and says why it does not. Nothing typed is the default, or empty without one.
    func value(
        _ label: String, default: String? = nil, explaining help: String, _ take: (String) throws -> Void
    ) throws {
        for _ in 0..<Self.most {
            Console.current.onInterruption { "\nInterrupted. Nothing was written." }
            defer { Console.current.onInterruption(nil) }
            // The default may be a name from the log, which others wrote.
            guard let typed = ask((label + (`default`.map { " [\($0)]:" } ?? ":")).visible) else {
                Console.current.note("")
                break
            }
            let answer = typed.trimmingCharacters(in: .whitespaces)
            if answer == "?" {
                Console.current.note("  \(help)")
                continue
            }
            do { return try take(answer.isEmpty ? `default` ?? "" : answer) } catch {
                // Nobody typed the option that it names.
                let reason = ErrorReport.text(of: error).replacing(/^--[a-z-]+ (?=')/, with: "")
                Console.current.note("  \(reason)")
            }
        }
        throw CommandError("Nothing was written.", code: "interrupted")
    }
}

extension FieldOptions {
    /// Asks on a terminal for what an entity of a kind must have and no option says; elsewhere an error names the options.
    mutating func complete<Entity: TripEntity>(
        _ kind: Entity.Type, _ options: StoreOptions, _ others: OwnFieldOptions
    ) async throws {
        let missing = FieldOption.all(for: Entity.fieldOutlines).filter(\.field.isRequired).compactMap(\.options.first)
            .filter { texts[$0.name] == nil }
        guard !missing.isEmpty else { return }
        guard let asking = Asking() else {
            throw CommandError(
                "\(Entity.article.capitalized) \(Entity.kindName) needs \(UnknownOptions.words(missing.map(\.typed), "and")). "
                    + "Add \(missing.count == 1 ? "it" : "them").", code: "missingValue")
        }
        self = try await withReadStore(options) { [self] store in
            var filled = self
            for option in missing {
                try filled.ask(asking, for: option, kind, isRequired: true, others, in: store)
            }
            return filled
        }
    }

    /// Asks for each value that people think of first and that is not known yet.
    mutating func askAll<Entity: TripEntity>(
        _ asking: Asking, _ kind: Entity.Type, _ others: OwnFieldOptions, in store: TripStore
    ) throws {
        let all = FieldOption.all(for: Entity.fieldOutlines)
        for (name, _) in Asking.fields where texts[name] == nil {
            // A journey has two places.
            if name == "custom-location-name", kind == Transportation.self { continue }
            guard let (field, options) = all.first(where: { $0.options.first?.name == name }),
                let option = options.first
            else { continue }
            try ask(asking, for: option, kind, isRequired: field.isRequired, others, in: store)
        }
    }

    /// Asks for the value of an option until an entity can have it.
    mutating func ask<Entity: TripEntity>(
        _ asking: Asking, for option: FieldOption, _ kind: Entity.Type, isRequired: Bool, _ others: OwnFieldOptions,
        in store: TripStore
    ) throws {
        let label = Asking.fields.first { $0.option == option.name }?.label ?? option.name.capitalized
        let next = try option.name == "trip" ? store.nextTrip() : nil
        let preset = try next?.name ?? self.preset(option, kind, in: store)
        var help = option.help
        if [.day, .moment].contains(option.form) { help += " Also: \(WrittenWhen.forms)." }
        if !isRequired { help += " 'none' leaves it open." }
        try asking.value(label, default: preset ?? (isRequired ? nil : "none"), explaining: help) { answer in
            if !isRequired, answer == "none" { return }
            guard !answer.isEmpty else { throw CommandError("It is needed.") }
            var filled = self
            // By its id, which stays where names are ambiguous, and is not looked for again.
            var trip = answer == next?.name ? next?.id : nil
            if option.name == "trip", trip == nil { trip = try EntityArgument(argument: answer).map(store.trip) }
            filled.set(option.name, to: trip.map { "\($0)" } ?? answer)
            try filled.validate()
            var draft = Entity(id: .new())
            try filled.apply(to: &draft, in: store, before: others) { $0.name == option.name ? "  " : nil }
            self = filled
        }
    }

    /// The day on which what is planned begins, and of a stay that after it.
    private func preset<Entity: TripEntity>(
        _ option: FieldOption, _ kind: Entity.Type, in store: TripStore
    ) throws -> String? {
        if option.name == "end" { return kind == Lodging.self && texts["start"] != nil ? "+1d" : nil }
        guard option.name == "start", let trip = try scope(in: store).flatMap({ try store.trip($0) }),
            let first = trip.startDay
        else { return nil }
        let today = try WhenContext.current().today
        return "\(first <= today && today <= trip.effectiveEndDay ?? first ? today : first)"
    }
}

/// Runs `body` on a store opened for reading, and always closes it.
func withReadStore<T>(_ options: StoreOptions, _ body: (TripStore) throws -> T) async throws -> T {
    let store = try await options.openForReading()
    let result = Result { try body(store) }
    await store.close()
    return try result.get()
}
