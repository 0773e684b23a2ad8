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
        let zone = namesZone ? moment.flatMap { Moment.placed($0.zone) } ?? "" : ""
        return name.isEmpty && zone.isEmpty ? nil : CoursePlace(name: name, zone: zone)
    }

    private func placeName(atEnd: Bool) -> String {
        guard case .transportation(let journey) = item else { return item.address?.city ?? "" }
        let place = atEnd ? journey.arrival : journey.departure
        let names = [place.address?.city ?? "", atEnd ? "" : item.address?.city ?? "", place.name, place.code]
        return names.first { !$0.isEmpty } ?? ""
    }

    /// Those of its part on a day, in the order of time. What one only has is where one gets it and gives it back.
    func places(on day: Day, _ role: Role, namesZones: Bool) -> [CoursePlace] {
        let (start, end) = (place(namesZone: namesZones), place(atEnd: true, namesZone: namesZones))
        let places: [CoursePlace?] =
            switch (role, item.kind) {
            case (.starts, _): [start]
            case (.ends, _): [end]
            case (.continues, _) where isHad: []
            case (.continues, .transportation): []
            case (.continues, _):
                [
                    CoursePlace(
                        name: start?.name ?? "", zone: namesZones ? zone(on: day).flatMap(Moment.placed) ?? "" : "")
                ]
            case (.whole, .transportation): [start, end]
            case (.whole, _): [start ?? end]
            }
        return places.compactMap { $0 }.filter { !$0.name.isEmpty || !$0.zone.isEmpty }
    }
}
