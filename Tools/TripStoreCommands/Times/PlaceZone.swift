import Foundation
import TripStore

/// Finds the zone of the place where an item begins or ends: that of another item of the trip at the same place, else that of the airport or of
/// the city that a zone is called after.
enum PlaceZone {
    /// The zone, and the place by which it is found; nil where no place tells it. O(items).
    static func of(_ item: TripItem, atEnd: Bool, among others: [TripItem]) -> (zone: String, place: String)? {
        let places = places(of: item, atEnd)
        for place in places {
            for other in others {
                for end in [false, true] {
                    let moment = end ? other.end ?? other.start : other.start
                    guard let moment, moment.isOfPlace,
                        self.places(of: other, end).contains(where: { key($0) == key(place) })
                    else { continue }
                    return (moment.zone, place)
                }
            }
        }
        return places.lazy.compactMap { place in zone(of: place).map { ($0, place) } }.first
    }

    /// The zone of an airport by its code, or of a city by its name.
    static func zone(of place: String) -> String? { AirportZones.zones[place] ?? cities[key(place)] }

    /// The names of the place, the most exact first.
    private static func places(of item: TripItem, _ atEnd: Bool) -> [String] {
        guard case .transportation(let journey) = item else {
            return [item.customLocationName, item.address?.city ?? ""].filter { !$0.isEmpty }
        }
        let place = atEnd ? journey.arrival : journey.departure
        let named = airports(in: journey.name).map { atEnd ? $0.to : $0.from } ?? ""
        return [place.code.uppercased(), place.name, place.address?.city ?? "", named].filter { !$0.isEmpty }
    }

    /// The two airports that a name says, as in "LH400 FRA-JFK" and "FRA to JFK". Other capitals between the codes, as in "LOS ANGELES - SAN
    /// DIEGO", make them parts of names.
    private static func airports(in name: String) -> (from: String, to: String)? {
        let words = name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let places = words.indices.filter { AirportZones.zones[words[$0]] != nil }
        guard places.count == 2, words[places[0] + 1..<places[1]].allSatisfy({ !$0.contains(where: \.isUppercase) })
        else { return nil }
        return (words[places[0]], words[places[1]])
    }

    private static func key(_ place: String) -> String {
        place.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    /// Words that stand on maps of any city, and names that travellers use of other places as well: a lone one says nothing of its zone.
    private static let ambiguous = Set(
        """
        antigua, belem, canary, chatham, christmas, cocos, cordoba, creston, currie, dawson, easter, ensenada, gambier, jersey, johnston, kirov, \
        la rioja, merida, midway, norfolk, oral, porto acre, regina, resolute, reunion, rosario, samara, san juan, san luis, santa isabel, santarem, \
        santiago, st johns, st thomas, stanley, virgin, wake, wallis
        """.components(separatedBy: ", "))

    /// The zones by the cities that they are called after, where it is one: of the counties with a zone of their own, the large towns.
    private static let cities: [String: String] = {
        let areas: Set<Substring> = [
            "Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific",
        ]
        let zones = TimeZone.knownTimeZoneIdentifiers.compactMap { zone -> (String, String)? in
            let parts = zone.split(separator: "/")
            guard let area = parts.first, let city = parts.last, parts.count > 1, areas.contains(area),
                parts.count == 2 || parts[1] == "Argentina" || ["Indianapolis", "Louisville"].contains(city)
            else { return nil }
            let name = key(String(city).replacing("_", with: " "))
            return ambiguous.contains(name) ? nil : (name, zone)
        }
        return Dictionary(grouping: zones, by: \.0).compactMapValues { $0.count == 1 ? $0.first?.1 : nil }
    }()
}
