import Foundation
import TravelingSnails
import TripStore

/// The organizations that items may reference.
struct ImportedOrganizations {
    /// Those that are, or will be, in the store.
    var known: Set<UUID> = []
    /// Those that stand for no organization.
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
