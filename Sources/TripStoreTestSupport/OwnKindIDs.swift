import Foundation
package import TripStore

/// Entities of an app's kind that nothing declares, for programs that draw few of them.
package enum OwnKindIDs {
    /// The entity of a number.
    package static func entity(_ number: UInt8) -> EntityReference {
        EntityReference(
            kind: .own, id: UUID(uuid: (0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 1, 0x80, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
    }
}
