import ArgumentParser
import Events
import Foundation
import TripFormats
import TripStore

/// Names an entity on the command line: its id, the first digits of that, `last`, or its name.
struct EntityArgument: ExpressibleByArgument, Hashable {
    /// What is said of it in the help.
    static let help = "Its id, the first digits of that, its name, or 'last' for what was written last."

    let text: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }

    /// The digits of an id, or of its beginning; nil for other texts. Fewer than four are taken for a name.
    fileprivate var digits: String? {
        let digits = text.replacing("-", with: "")
        guard (4...32).contains(digits.utf8.count), digits.utf8.count == digits.count,
            digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { return nil }
        return digits.uppercased()
    }
}

/// An entity of whatever kind, as an argument.
struct AnyEntity: ParsableArguments {
    @Argument(help: "Which one. \(EntityArgument.help)")
    var entity: EntityArgument

    @Option(name: .long, help: "The kind, if entities of several kinds have the id or the name.")
    var kind: EntityKind?

    func reference(in store: TripStore, of trip: Trip.ID? = nil, orElsewhere: Bool = false) throws -> EntityReference {
        try store.entity(
            entity, of: kind.map { [$0] } ?? EntityArgument.anyKind, in: trip, orElsewhere: orElsewhere)
    }
}

/// The trip to which what a command names belongs: copies of trips have the names of their originals.
struct TripScope: ParsableArguments {
    static let help = "The trip that it belongs to, where several have what has the name."

    @Option(name: .customLong("trip"), help: ArgumentHelp(stringLiteral: help))
    var trip: EntityArgument?

    func id(in store: TripStore) throws -> Trip.ID? { try trip.map { try store.trip($0) } }
}

extension EntityArgument {
    /// Also kinds that this version does not know.
    static let anyKind: Set<EntityKind> = []
}

extension TripStore {
    /// The one entity that an argument names: by its id, deleted or not; by its name, if it is there.
    ///
    /// - Parameters:
    ///   - kinds: those that it may have; empty for any.
    ///   - own: which kind of those beside the first ones it must have; nil for any.
    ///   - deleted: whether a name is that of a deleted one.
    ///   - trip: the one that it is, or belongs to, or travels in; nil for any.
    ///   - orElsewhere: whether it may be of another trip if there is none in this one.
    func entity(
        _ argument: EntityArgument, of kinds: Set<EntityKind>, own: OwnKind? = nil, deleted: Bool = false,
        in trip: Trip.ID? = nil, orElsewhere: Bool = false
    ) throws -> EntityReference {
        let matches = { (entity: EntityReference) in
            (kinds.isEmpty || kinds.contains(entity.kind)) && (own == nil || OwnKind(of: entity) == own)
        }
        if argument.text == "last" { return try lastWritten(kinds, matches) }
        if let digits = argument.digits {
            let found = try read { try $0.entities(beginningWith: digits, limit: 1000) }.filter(matches)
            if digits.utf8.count == 32 || !found.isEmpty { return try one(of: found, argument, kinds, own) }
        }
        var found = try read { try $0.entities(named: argument.text, deleted: deleted).filter(matches) }
        if let trip {
            let inTrip = try read { views in try found.filter { try views.isPart($0, of: trip) } }
            if !inTrip.isEmpty || !orElsewhere { found = inTrip }
        }
        if found.count > 1 {
            found = try read { views in
                // A template has the names of the trip that it was made of: unless there is nothing else, none of it is meant.
                let others = try found.filter { try !views.isInTemplate($0) }
                return others.isEmpty ? found : others
            }
        }
        if found.count > 1, !deleted, let current = try current(of: found) { return current }
        return try one(of: found, argument, kinds, own, deleted: deleted, trip)
    }

    /// The one of several of a name that is current: of a trip under way, or else of one that is to come; nil if that are several.
    private func current(of found: [EntityReference]) throws -> EntityReference? {
        let today = try AgendaDays.today.days().lowerBound
        let candidates = try read { views in try found.map { try NamedCandidate($0, in: views) } }
        let ranks = candidates.map { $0.rank(on: today) }
        guard let least = ranks.min(), ranks.count(where: { $0 == least }) == 1,
            let chosen = zip(candidates, ranks).first(where: { $0.1 == least })?.0
        else { return nil }
        Console.current.note(
            "Taken is \(chosen.words). \((found.count - 1).counted("other")) of the name can be named by --trip or an id."
        )
        return chosen.entity
    }

    /// The id of an entity of one of the store's own kinds that is there, as an `Identifier` of that kind; of a trip if one is named, but for
    /// travellers, of whom those of the trip come first.
    func id<Entity: OwnEntity>(
        _ argument: EntityArgument, of kind: Entity.Type, in trip: Trip.ID? = nil
    ) throws -> Any {
        let reference = try entity(
            argument, of: [.own], own: Entity.schema.ownKind, in: trip, orElsewhere: kind == Traveller.self)
        let id = Identifier<Entity>(reference.id)
        guard try entity(id) != nil else {
            throw TripStoreError(
                .deleted,
                "The \(Entity.kindName) \(id) was deleted, or what it belongs to was. Restore it with "
                    + "'tripstore restore \(id)', or that.",
                entity: reference)
        }
        return id
    }

    /// Finds what a condition names as arguments do.
    var naming: EntityNaming {
        { text, kind, type in
            guard let argument = EntityArgument(argument: text) else { return nil }
            return try self.entity(argument, of: [kind], own: type.flatMap { Self.ownKind(of: $0) }).id
        }
    }

    private static func ownKind<Entity: TripEntity>(of type: Entity.Type) -> OwnKind? { Entity.schema.ownKind }

    func trip(_ argument: EntityArgument) throws -> Trip.ID { Trip.ID(try entity(argument, of: [.trip]).id) }

    /// A trip that is there; throws if it is deleted.
    func presentTrip(_ argument: EntityArgument) throws -> Trip {
        let id = try trip(argument)
        guard let found = try trip(id) else {
            throw CommandError(
                "The trip '\(argument.text)' is deleted. Restore it with 'tripstore restore \(id)'.", code: "deleted")
        }
        return found
    }

    private func one(
        of found: [EntityReference], _ argument: EntityArgument, _ kinds: Set<EntityKind>, _ own: OwnKind?,
        deleted: Bool = false, _ trip: Trip.ID? = nil
    ) throws -> EntityReference {
        guard let first = found.first else {
            let kind =
                own?.name(in: Console.current.known) ?? (kinds.count == 1 ? kinds.first?.name ?? "entity" : "entity")
            let what =
                UUID(uuidString: argument.text) == nil ? "called '\(argument.text)'" : "with the id \(argument.text)"
            throw TripStoreError(
                .unknownEntity,
                deleted
                    ? "There is no deleted \(kind) \(what). Give an id, the first digits of one, or the name of what was deleted, as "
                        + "'tripstore audit log' shows them."
                    : "There is no \(kind) \(what)\(trip == nil ? "" : " in that trip"). Give an id, the first digits of one, or a name as "
                        + (own?.isOfStore == true && own != AttachedFile.schema.ownKind
                            ? "'tripstore list \(kind.plural)' shows them. 'tripstore add \(kind)' adds one."
                            : "'tripstore trips' and 'tripstore list items' show them.")
                        + " 'tripstore list --deleted' shows what was deleted."
            )
        }
        guard found.count == 1 else {
            let most = 10
            let lines = try read { views in
                try found.prefix(most).map { try NamedCandidate($0, in: views).line(in: views) }
            }
            let rest = found.count > most ? ["and \((found.count - most).counted("other"))"] : []
            let isOneID = Set(found.map(\.id)).count == 1
            let advice =
                "Give one of these ids" + (found.allSatisfy { Trip.ID($0) != nil } ? "." : ", or the trip with --trip.")
            throw CommandError(
                "'\(argument.text)' may be any of \(found.count):\n  "
                    + (lines + rest).joined(separator: "\n  ") + "\n"
                    + (isOneID ? "Choose one with --kind." : advice),
                code: "ambiguous")
        }
        return first
    }

    /// What the newest event is about of which the entity has one of the kinds.
    private func lastWritten(
        _ kinds: Set<EntityKind>, _ matches: (EntityReference) -> Bool
    ) throws -> EntityReference {
        let found = try lastWritten { kinds.isEmpty ? $0.kind != .schema : matches($0) }
        guard let found else {
            throw TripStoreError(.unknownEntity, "Nothing of that kind was written yet, so there is no last one.")
        }
        return found
    }
}
