import Events
public import TripStore
import Trips

/// One kind of thing that an export of Traveling Snails does not hold, or not as it is: how often, and one example.
public struct SnailsLoss: Sendable, Hashable {
    /// The kind of data that is lost.
    public enum What: Sendable, Hashable {
        /// A field of trips, items, organizations or attachments, by its name; an app's own fields too.
        case field(String, of: EntityKind)
        /// Things that belong to trips or items, by the name of their kind: "budget", "checklist", or what apps have added.
        case entities(String)
        /// Attachments of what the format has none for: trips or organizations.
        case attachments(of: EntityKind)
        /// Attachments of checklists, of other attachments or of what apps have added, by the name of its kind.
        case attachmentsOfOwn(String)
        /// Attachments whose bytes are not in this store.
        case missingBytes
        /// Items without a start or an end, which get placeholders.
        case openTimes
        /// Trips and items with times that have fractions of a second.
        case fractions
        /// Trips and items with days or times beyond the years 1 to 9999, which peers may send.
        case distantTimes
        /// Trips and items that end before they begin, as merges of two edits may leave them: they are written with the start as their end.
        case reversedTimes
        /// Items whose times name no zone, or one that is not known here.
        case unknownZones
        /// Items that are paid in a way that has no name here.
        case paidStatus(String)
        /// Addresses of organizations whose coordinates are not on Earth.
        case coordinates
        /// Costs in another currency than US dollars.
        case currency(String)
        /// Transportations of a mode that the app does not have, by its name.
        case mode(String)
        /// The names of places of transportations, and that apps hide them.
        case transportationPlaces
        /// Organizations named "None", which stands for no organization in the format.
        case organizationsNamedNone
        /// References of items to organizations that are not here, or deleted.
        case missingOrganizations
        /// Items without a trip.
        case unfiledItems
        /// Templates of trips, with what is in them.
        case templates
    }

    public let what: What
    /// How many.
    public let count: Int
    /// The first of them, for people: a name and an id.
    public let example: String
}

extension SnailsLoss: CustomStringConvertible {
    /// A sentence or two: what it is, how many, an example.
    public var description: String {
        let (start, consequence) = words
        return "\(start), as of \(example): \(consequence)."
    }

    private var words: (String, String) {
        switch what {
        case .field(let name, let kind):
            (
                "The \(name) of \(counted(Self.name(of: kind))) \(name.isPlural ? "are" : "is") left out",
                "the format has no such field"
            )
        case .entities(let kind): ("\(counted(kind)) left out", "the format has no such thing")
        case .attachments(let kind):
            (
                "\(counted("attachment")) of \(Self.name(of: kind).plural) left out",
                "the format has attachments only of items"
            )
        case .attachmentsOfOwn(let kind):
            (
                "\(counted("attachment")) of \(kind.plural) left out",
                "the format has attachments only of items"
            )
        case .distantTimes:
            (
                "\(counted("trip or item", "trips or items")) written without times beyond the years 1 to 9999",
                "the format has no others"
            )
        case .reversedTimes:
            (
                "\(counted("trip or item", "trips or items")) that \(count.agreeing("ends before it begins", "end before they begin")) "
                    + "written with the start as \(count.agreeing("its", "their")) end",
                "readers refuse others"
            )
        case .unknownZones:
            (
                "\(counted("item")) written without a time zone that is not known here",
                "a reader takes the zone of the trip"
            )
        case .paidStatus(let name):
            ("\(counted("item")) of the payment status '\(name)' written as not paid", "the format has no such status")
        case .coordinates:
            ("The coordinates of \(counted("organization")) left out", "they are no place on Earth")
        case .missingBytes: ("\(counted("attachment")) left out", "the bytes are not here")
        case .openTimes:
            (
                "\(counted("item")) without a start or an end written with a placeholder",
                "the app shows it as a time, where TripStore reads none"
            )
        case .fractions:
            ("\(counted("item")) written with times to the second", "the app reads no fractions, but TripStore does")
        case .currency(let code):
            (
                "\(counted("cost")) in \(code) written",
                Currency(code) == nil
                    ? "it is no currency, and every reader takes it for US dollars"
                    : "the app takes it for US dollars, where TripStore reads \(code)"
            )
        case .mode(let name):
            (
                "\(counted("transportation")) of the mode '\(name)' written",
                TransportationMode.known.contains { $0.name == name }
                    ? "the app takes it for a plane"
                    : "the app takes it for a plane, and TripStore reads no mode that it does not know"
            )
        case .transportationPlaces:
            ("The place of \(counted("transportation")) written", "the app has none there, but TripStore reads it")
        case .organizationsNamedNone:
            ("\(counted("organization")) named 'None' left out", "the name stands for no organization in the format")
        case .missingOrganizations:
            ("\(counted("item")) written with an organization that is not here", "the export does not have it either")
        case .templates: ("\(counted("template")) of trips left out", "the format has no such thing")
        case .unfiledItems: ("\(counted("item")) without a trip left out", "the format has items only in trips")
        }
    }

    private func counted(_ noun: String, _ plural: String? = nil) -> String { count.counted(noun, plural) }

    private static func name(of kind: EntityKind) -> String {
        kind == AttachedFile.kind ? "attachment" : kind.name ?? "entity"
    }
}

/// Counts what an export loses. Its size is bounded by the kinds of losses, which are few, and the names of fields.
struct SnailsLosses {
    /// The kinds and fields that the store knows, for names.
    let known: KnownSchema?
    /// In the order in which they were found, which depends on the trips alone.
    private(set) var all: [SnailsLoss] = []
    private var places: [SnailsLoss.What: Int] = [:]

    init(known: KnownSchema?) { self.known = known }

    mutating func note(_ what: SnailsLoss.What, count: Int = 1, _ example: @autoclosure () -> String) {
        guard count > 0 else { return }
        guard let place = places[what] else {
            places[what] = all.count
            all.append(SnailsLoss(what: what, count: count, example: example()))
            return
        }
        all[place] = SnailsLoss(what: what, count: all[place].count + count, example: all[place].example)
    }
}
