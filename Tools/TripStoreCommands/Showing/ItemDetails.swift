import TripFormats
import TripStore

/// What is to be known of an item beside its name and times, in words.
struct ItemDetails {
    let organizations: [Organization.ID: Organization]
    let planning: TripPlanning

    /// How, how long, with whom and for how much on a line; where on another; and the notes as they were written.
    func lines(of course: ItemCourse) -> [String] {
        let item = course.item
        var facts: [String] = []
        if item.stage != .planned { facts.append("\(item.stage)") }
        if let mode = item.mode, mode != .other { facts.append("\(mode)") }
        if let length = course.lengthWords { facts.append(length) }
        if let name = item.organization.flatMap({ organizations[$0]?.name }) { facts.append(name) }
        if !item.reservation.isEmpty {
            facts.append("\(item.kind == .transportation ? "confirmation" : "reservation") \(item.reservation)")
        }
        if !item.category.isEmpty { facts.append(item.category) }
        if let payment = item.payment.words { facts.append(payment) }
        if item.status != .ready { facts.append("\(item.status)") }
        var place = item.hidesLocation ? [] : [item.customLocationName, item.address?.oneLine ?? ""]
        place.removeAll(where: \.isEmpty)
        return [facts, place].map { $0.joined(separator: ", ") }.filter { !$0.isEmpty } + Self.further(item)
            + planning.lines(of: item) + item.notes.textLines
            + item.entity.ownLines
    }

    /// What only stays and journeys have.
    private static func further(_ item: TripItem) -> [String] {
        switch item {
        case .activity: []
        case .lodging(let stay):
            [
                stay.checkIn.map { "check-in from \($0.dayAndClock)" },
                stay.checkOut.map { "check-out by \($0.dayAndClock)" },
            ]
            .compactMap { $0 }
        case .transportation(let journey): further(journey)
        }
    }

    private static func further(_ journey: Transportation) -> [String] {
        let ticket = [
            journey.carrier, journey.number, journey.seat.isEmpty ? "" : "seat \(journey.seat)",
            journey.travelClass.isEmpty ? "" : "class \(journey.travelClass)",
        ].filter { !$0.isEmpty }.joined(separator: ", ")
        let places = [("from", journey.departure), ("to", journey.arrival)].map { word, place in
            place.oneLine(hidesAddress: journey.hidesLocation).map { "\(word) \($0)" } ?? ""
        }
        return ([ticket] + places).filter { !$0.isEmpty }
    }

}

extension TripEntity {
    /// Apps' own fields, each on a line.
    var ownLines: [String] {
        ownRenderings(in: Console.current.known).map { "\($0.name)  \($0.text)" }
    }
}
