import Foundation
import TripStore

/// The tables that the events of a report index: texts, replicas and entities, each stored once.
struct ReportTables {
    /// Longer texts are cut, so that every part of a report fits on a page.
    private static let mostScalars = 20_000
    /// An item that was moved more often is listed with its last trips.
    private static let mostTrips = 100

    struct Replica {
        let id: ReplicaID
        /// The number of its device's name, if known.
        var device: Int?
    }

    struct Entity {
        let reference: EntityReference
        /// The number of its kind's name.
        let kind: Int
        /// The number of its name, if an event has it.
        var name: Int?
        /// The numbers of the trips that it ever belonged to, the last first, because the log is read from its end.
        var trips: [Int] = []
    }

    /// Number 0 is the empty text.
    private(set) var strings = [""]
    private(set) var replicas: [Replica] = []
    private(set) var entities: [Entity] = []
    /// About the bytes that the tables take as text.
    private(set) var size = 0

    private var stringNumbers = ["": 0]
    private var replicaNumbers: [ReplicaID: Int] = [:]
    private var entityNumbers: [EntityReference: Int] = [:]
    private let only: UUID?

    /// A report of one trip has only that one's history, although its items may have been in others.
    init(only: UUID?) { self.only = only }

    mutating func number(of text: String) -> Int {
        if let known = stringNumbers[text] { return known }
        let isLong = text.utf8.count > Self.mostScalars
        let shown = isLong ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.mostScalars))) + "…" : text
        stringNumbers[text] = strings.count
        strings.append(shown)
        size += JSON.string(shown).text(forMarkup: true).utf8.count + 1
        return strings.count - 1
    }

    mutating func number(of replica: ReplicaID) -> Int {
        if let known = replicaNumbers[replica] { return known }
        replicaNumbers[replica] = replicas.count
        replicas.append(Replica(id: replica))
        size += 48
        return replicas.count - 1
    }

    mutating func number(of entity: EntityReference) -> Int {
        if let known = entityNumbers[entity] { return known }
        entityNumbers[entity] = entities.count
        entities.append(Entity(reference: entity, kind: number(of: entity.kindWords)))
        size += 56
        return entities.count - 1
    }

    mutating func name(_ replica: Int, device: String) { replicas[replica].device = number(of: device) }

    mutating func name(_ entity: Int, _ name: String) { entities[entity].name = number(of: name) }

    /// The values of a change may reference another entity: the trip of an item, or its organization.
    mutating func note(_ change: AuditedChange, of entity: Int) {
        guard entities[entity].reference.kind.mayHaveParent else { return }
        for value in [change.new, change.old] {
            guard case .string(let text) = value?.value, let id = UUID(uuidString: text) else { continue }
            if change.field == "trip" { file(entity, under: id) }
            if change.field == "organization" { _ = number(of: EntityReference(kind: .organization, id: id)) }
        }
    }

    private mutating func file(_ entity: Int, under trip: UUID) {
        let number = number(of: EntityReference(kind: .trip, id: trip))
        guard only == nil || trip == only, entities[entity].trips.count < Self.mostTrips,
            !entities[entity].trips.contains(number)
        else { return }
        entities[entity].trips.append(number)
        size += 8
    }

    /// Looks up what the shown part of the log references but does not contain. `devices` are the names of devices that are known already.
    mutating func complete(from store: TripStore, devices: inout [ReplicaID: String]) throws {
        for (number, replica) in replicas.enumerated() where replica.device == nil {
            // A replica's first commit names its device.
            let name =
                try devices[replica.id]
                ?? (store.audit(AuditFilter(replica: replica.id), limit: 1).first?.introducedDevice ?? "")
            devices[replica.id] = name
            self.name(number, device: name)
        }
        for (number, entity) in entities.enumerated() where entity.trips.isEmpty {
            for change in try Self.history(of: entity.reference, store).reversed().flatMap(\.event.changes) {
                note(change, of: number)
            }
        }
        // Including those that the histories have just referenced.
        for (number, entity) in entities.enumerated() where entity.name == nil {
            name(number, try Self.name(of: entity.reference, store))
        }
    }

    /// The history of an item, which has the trips that it was in; empty for anything else.
    private static func history(of entity: EntityReference, _ store: TripStore) throws -> [HistoryEntry] {
        EntityKind.itemKinds.contains(entity.kind) ? try store.history(of: entity).rows : []
    }

    /// The name of an entity, deleted or not; empty if it is not held.
    private static func name(of entity: EntityReference, _ store: TripStore) throws -> String {
        do {
            return try store.blame(entity).name
        } catch let error as TripStoreError where error.code == .unknownEntity {
            return ""
        }
    }
}
