import ArgumentParser
import Foundation
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
    @Argument(help: ArgumentHelp("Which one.", discussion: EntityArgument.help))
    var entity: EntityArgument

    @Option(name: .long, help: "The kind, if entities of several kinds have the id or the name.")
    var kind: EntityKind?

    func reference(in store: TripStore) throws -> EntityReference {
        try store.entity(entity, of: kind.map { [$0] } ?? EntityArgument.anyKind)
    }
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
    ///   - deleted: whether a name is that of a deleted one.
    func entity(
        _ argument: EntityArgument, of kinds: Set<EntityKind>, deleted: Bool = false
    ) throws -> EntityReference {
        if argument.text == "last" { return try lastWritten(kinds) }
        let matches = { (entity: EntityReference) in kinds.isEmpty || kinds.contains(entity.kind) }
        if let digits = argument.digits {
            let found = try read { try $0.entities(beginningWith: digits, limit: 1000) }.filter(matches)
            if digits.utf8.count == 32 || !found.isEmpty { return try one(of: found, argument, kinds) }
        }
        let found = try read { try $0.entities(named: argument.text, deleted: deleted) }.filter(matches)
        return try one(of: found, argument, kinds, deleted: deleted)
    }

    func trip(_ argument: EntityArgument) throws -> Trip.ID { Trip.ID(try entity(argument, of: [.trip]).id) }

    private func one(
        of found: [EntityReference], _ argument: EntityArgument, _ kinds: Set<EntityKind>, deleted: Bool = false
    ) throws -> EntityReference {
        guard let first = found.first else {
            let kind = kinds.count == 1 ? kinds.first?.name ?? "entity" : "entity"
            let what =
                UUID(uuidString: argument.text) == nil ? "called '\(argument.text)'" : "with the id \(argument.text)"
            throw TripStoreError(
                .unknownEntity,
                deleted
                    ? "There is no deleted \(kind) \(what). Give an id, the first digits of one, or the name of what was deleted, as "
                        + "'tripstore audit log' shows them."
                    : "There is no \(kind) \(what). Give an id, the first digits of one, or a name as 'tripstore trips' and "
                        + "'tripstore list' show them. What was deleted is found by its id, as 'tripstore audit log --json' shows it."
            )
        }
        guard found.count == 1 else {
            let shown = found.prefix(5).map { "\($0.kindWords) \($0.id.uuidString)" }.joined(separator: ", ")
            let isOneID = Set(found.map(\.id)).count == 1
            throw CommandError(
                "'\(argument.text)' may be any of several: \(shown)\(found.count > 5 ? ", and more" : ""). "
                    + (isOneID ? "Choose one with --kind." : "Give an id, or more of its digits."), code: "ambiguous")
        }
        return first
    }

    /// What the newest event is about of which the entity has one of the kinds.
    private func lastWritten(_ kinds: Set<EntityKind>) throws -> EntityReference {
        var last: Position?
        while true {
            let batch = try audit(AuditFilter(isReversed: true), limit: 32, beyond: last)
            guard let oldest = batch.last else {
                throw TripStoreError(.unknownEntity, "Nothing of that kind was written yet, so there is no last one.")
            }
            last = oldest.position
            for commit in batch {
                let events = commit.events.reversed()
                let isMeant = { (kind: EntityKind) in kinds.isEmpty ? kind != .schema : kinds.contains(kind) }
                if let event = events.first(where: { isMeant($0.entity.kind) }) {
                    return event.entity
                }
            }
        }
    }
}
