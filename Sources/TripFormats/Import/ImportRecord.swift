import Foundation
import TravelingSnails
import TripStore

/// What an import asks about one entity: a record of the file, or that the file lacks it.
///
/// Indirect, for records go through several hands, and each copy of one would count references to a dozen strings.
indirect enum ImportRecord: Sendable {
    /// - Parameter keepsAddress: whether the file has an address that cannot be used.
    case organization(ExportedOrganization, keepsAddress: Bool)
    case trip(TripValues)
    /// - Parameter organization: nil to leave it as it is.
    case item(ItemValues, organization: Organization.ID??, of: TripValues)
    /// - Parameter isOwnerBrought: whether the file has its item, which is or comes here.
    case attachment(ExportedAttachment, ContentID, isOwnerBrought: Bool)
    /// An item that the store has in a trip of the file, and the file has nowhere.
    case lacking(EntityReference, from: Trip.ID)
    /// An organization of a calendar.
    case foreignOrganization(ForeignOrganizationRecord)
    /// A trip of a calendar or a table.
    case foreignTrip(ForeignTrip)
    /// An item of a calendar or a table.
    case foreignItem(ForeignItemRecord)
    /// A track of a map.
    case foreignTrack(ForeignTrackRecord)

    var entity: EntityReference {
        switch self {
        case .organization(let organization, _): Organization.ID(organization.id).reference
        case .trip(let trip): trip.id.reference
        case .item(let item, _, _): item.exported.reference
        case .attachment(let attachment, _, _): attachment.importedID.reference
        case .lacking(let item, _): item
        case .foreignOrganization(let record): record.organization.id.reference
        case .foreignTrip(let trip): trip.id.reference
        case .foreignItem(let item): item.entity
        case .foreignTrack(let record): record.track.id.reference
        }
    }

    /// The trip that it is in or comes into, if it is an item; the item, if it is an attachment.
    var owner: EntityReference? {
        switch self {
        case .organization, .foreignOrganization, .trip, .foreignTrip: nil
        case .item(_, _, let trip): trip.id.reference
        case .attachment(let attachment, _, _): attachment.owner
        case .lacking(_, let trip): trip.reference
        case .foreignItem(let item): item.trip?.reference
        case .foreignTrack(let record): record.destination.trip?.reference
        }
    }

    /// The bytes of an attachment.
    var content: ContentID? {
        switch self {
        case .attachment(_, let content, _): content
        case .foreignTrack(let record): record.content
        default: nil
        }
    }

    /// Where the file holds it; nil for what it lacks.
    var place: String? {
        switch self {
        case .organization(let organization, _): "\(organization.place)"
        case .trip(let trip): "\(trip.exported.place)"
        case .item(let item, _, _): "\(item.exported.place)"
        case .attachment(let attachment, _, _): "\(attachment.place)"
        case .lacking: nil
        case .foreignOrganization(let record): record.place
        case .foreignTrip(let trip): trip.place
        case .foreignItem(let item): item.place
        case .foreignTrack(let record): record.track.place
        }
    }
}

/// What is to happen to an entity.
struct ImportDecision: Sendable {
    var outcome: ImportReport.Outcome
    var events: [TripEvent] = []
    /// Whether it writes over what a person wrote since the last import to speak of the entity.
    var overrides = false
    /// Why the record is left out, without its place.
    var fault: String?
    /// Whether the entity is there afterwards, so that items may come into it.
    var isHere = true
    /// The fields that are left out because their values were erased.
    var erased: [UInt64] = []

    /// An entity that was erased as a whole.
    static let erased = ImportDecision(outcome: .erased, isHere: false)

    static func rejected(_ fault: String) -> ImportDecision {
        ImportDecision(outcome: .skipped, fault: fault, isHere: false)
    }
}

/// The organizations that items may reference.
struct ImportedOrganizations {
    /// Organizations that are, or will be, in the store.
    var known: Set<UUID> = []
    /// Records that stand for no organization.
    var none: Set<UUID> = []
    private var missing: Set<UUID> = []

    /// Whether the meaning of a reference to it is known.
    func hasLookedUp(_ id: UUID) -> Bool { known.contains(id) || none.contains(id) || missing.contains(id) }

    /// What an item will reference, the outer nil for leaving it unchanged; with a warning at the first reference to a
    /// missing organization.
    mutating func reference(of item: ExportedItem) -> (Organization.ID??, String?) {
        guard let id = item.organizationID, !none.contains(id) else { return (.some(nil), nil) }
        if known.contains(id) { return (.some(Organization.ID(id)), nil) }
        guard missing.insert(id).inserted else { return (nil, nil) }
        return (
            nil,
            "\(item.place): the organization \(id.uuidString) is neither in the file nor in the store: items refer to none."
        )
    }
}
