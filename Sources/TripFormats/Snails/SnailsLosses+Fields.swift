import Events
import TripStore

extension SnailsLosses {
    /// Notes every field of an entity that is set and that the format does not have: also those that later versions add, and apps' own.
    ///
    /// - Parameters:
    ///   - held: the entity with only what the format has. Most are equal to it, which is fast to see.
    ///   - names: of the fields that the format has.
    mutating func noteFields<Entity: TripEntity>(
        of entity: Entity, beyond held: Entity, _ names: HeldFields, named name: String
    ) {
        guard entity != held else { return }
        for field in Set(TripEvent.created(entity).writes.map(\.field)).sorted() where !names.numbers.contains(field) {
            let path = FieldPath(field: field)
            let shown =
                Entity.fieldName(of: field)
                ?? FieldRendering(of: entity.reference, path, value: nil, in: known).name
            note(.field(shown, of: Entity.kind), "'\(name)' (\(entity.id))")
        }
    }
}

/// The numbers of the fields that the format has for one kind.
struct HeldFields {
    let numbers: Set<UInt64>

    private init<Entity: TripEntity>(_ type: Entity.Type, _ names: [String?]) {
        numbers = Set(names.compactMap { $0.flatMap { Entity.fieldNumber(named: $0) } })
    }

    static let trip = HeldFields(
        Trip.self,
        [
            Trip.fieldName(of: \.name), Trip.fieldName(of: \.notes), Trip.fieldName(of: \.startDay),
            Trip.fieldName(of: \.endDay), Trip.fieldName(of: \.isProtected), Trip.fieldName(of: \.originalCreation),
        ])
    static let organization = HeldFields(
        Organization.self,
        [
            Organization.fieldName(of: \.name), Organization.fieldName(of: \.phone),
            Organization.fieldName(of: \.email), Organization.fieldName(of: \.website),
            Organization.fieldName(of: \.logoURL), Organization.fieldName(of: \.address),
        ])
    static let attachment = HeldFields(
        AttachedFile.self,
        [
            AttachedFile.fieldName(of: \.name), AttachedFile.fieldName(of: \.owner),
            AttachedFile.fieldName(of: \.content), AttachedFile.fieldName(of: \.mediaType),
            AttachedFile.fieldName(of: \.caption),
        ])
    static let activity = of(Activity.self)
    static let lodging = of(Lodging.self)
    static let transportation = HeldFields(
        Transportation.self, itemNames(Transportation.self) + [Transportation.fieldName(of: \.mode)])

    private static func of<Kind>(_ type: Item<Kind>.Type) -> HeldFields { HeldFields(type, itemNames(type)) }

    private static func itemNames<Kind>(_ type: Item<Kind>.Type) -> [String?] {
        [
            type.fieldName(of: \.name), type.fieldName(of: \.trip), type.fieldName(of: \.start),
            type.fieldName(of: \.end), type.fieldName(of: \.cost), type.fieldName(of: \.paid),
            type.fieldName(of: \.reservation), type.fieldName(of: \.notes),
            type.fieldName(of: \.customLocationName), type.fieldName(of: \.hidesLocation),
            type.fieldName(of: \.organization),
        ]
    }
}
