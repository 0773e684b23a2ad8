/// The meaning of a text that a search finds: the name of an entity, its notes, a code on a ticket.
///
/// The numbers are those of the rows of a search's views: see `EntityWords`.
public enum SearchField: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case name = 0
    /// A code of a booking, a flight or a train: a confirmation code, a reservation, a number.
    case code = 1
    /// A destination, a place, where a journey begins or ends.
    case place = 2
    /// A category, or a purpose.
    case tag = 3
    /// The company that runs a journey.
    case carrier = 4
    /// A field of an app's that asks for it.
    case ofApp = 5
    case address = 6
    /// Names, numbers and addresses of people to turn to.
    case contact = 7
    case caption = 8
    case link = 9
    case notes = 10

    /// What one hit there counts. The order of results follows from it alone: no row has it, so that it can change without a rebuild.
    package var weight: Int {
        switch self {
        case .name: 8
        case .code: 6
        case .place: 5
        case .tag, .carrier: 4
        case .ofApp, .address, .contact, .caption: 3
        case .link, .notes: 2
        }
    }

    public var description: String {
        switch self {
        case .name: "name"
        case .code: "code"
        case .place: "place"
        case .tag: "tag"
        case .carrier: "carrier"
        case .ofApp: "own"
        case .address: "address"
        case .contact: "contact"
        case .caption: "caption"
        case .link: "link"
        case .notes: "notes"
        }
    }

    /// The weight of the best of some fields, of which a mask has a bit each by their numbers.
    package static func weight(ofMask mask: UInt16) -> Int {
        Int(max(bestWeights[Int(mask & 0xFF)], bestOfHigher[Int(mask >> 8)]))
    }

    private static let bestWeights = weights(shiftedBy: 0)
    private static let bestOfHigher = weights(shiftedBy: 8)

    private static func weights(shiftedBy shift: UInt8) -> [UInt8] {
        (0...255).map { bits in
            let found = (0..<8).compactMap { bit in
                bits >> bit & 1 == 1 ? SearchField(rawValue: UInt8(bit) + shift)?.weight : nil
            }
            return UInt8(found.max() ?? 0)
        }
    }
}
