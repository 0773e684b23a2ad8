/// Where one is in an item, as far as it says it.
package struct CoursePlace: Hashable, Sendable {
    /// A city, or a station; empty if the item does not say it, or hides it.
    package let name: String
    /// Empty without a clock time, for an instant without a place, and where all of the trip has one zone.
    package let zone: String
}

extension ItemCourse {
    /// Where it begins, or ends; nil where nothing tells. An address says where one gets on: where a journey ends, its zone alone tells.
    package func place(atEnd: Bool = false, namesZone: Bool) -> CoursePlace? {
        let moment = atEnd ? ends : begins
        let name = item.hidesLocation ? "" : placeName(atEnd: atEnd)
        let known = moment.flatMap { $0.isOfPlace ? $0.zone : nil } ?? (name.isEmpty ? nil : nightZone)
        let zone = namesZone ? known ?? "" : ""
        return name.isEmpty && zone.isEmpty ? nil : CoursePlace(name: name, zone: zone)
    }

    private func placeName(atEnd: Bool) -> String {
        guard case .transportation(let journey) = item else { return item.address?.city ?? "" }
        let place = atEnd ? journey.arrival : journey.departure
        let names = [place.address?.city ?? "", atEnd ? "" : item.address?.city ?? "", place.name, place.code]
        return names.first { !$0.isEmpty } ?? ""
    }

    /// Where one is in its part on a day, in the order of time; a journey leads to its end on the day of its departure, as its times say. One is
    /// in what one only has where one gets it and gives it back.
    func places(_ role: Role, namesZones: Bool) -> [CoursePlace] {
        let (start, end) = (place(namesZone: namesZones), place(atEnd: true, namesZone: namesZones))
        let isJourney = item.kind == .transportation
        let places: [CoursePlace?] =
            switch role {
            case .starts: isJourney && !isHad ? [start, end] : [start]
            case .ends: [end]
            case .continues: isHad || isJourney ? [] : [start]
            case .whole: isJourney ? [start, end] : [start ?? end]
            }
        return places.compactMap { $0 }
    }
}
