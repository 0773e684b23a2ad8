import TripStore

/// What the description of an item's event says to people.
struct ItemDescription {
    let text: String

    init(_ item: TripItem, _ document: TripDocument, hasCosts: Bool) {
        var lines: [String] = []
        func line(_ name: String, _ parts: [String], separator: String = ", ") {
            let value = parts.filter { !$0.isEmpty }.joined(separator: separator)
            if !value.isEmpty { lines.append("\(name): \(value)") }
        }
        line("Confirmation", [item.reservation])
        if case .transportation(let journey) = item {
            line("Carrier", [journey.carrier, journey.number], separator: " ")
            if !item.hidesLocation {
                for (name, place) in [("From", journey.departure), ("To", journey.arrival)] {
                    line(
                        name,
                        [
                            place.name, place.code, place.terminal.isEmpty ? "" : "terminal \(place.terminal)",
                            place.gate.isEmpty ? "" : "gate \(place.gate)", place.address?.oneLine ?? "",
                        ])
                }
            }
            line("Seat", [journey.seat])
            line("Class", [journey.travelClass])
        }
        if case .lodging(let stay) = item {
            for (name, moment) in [("Check-in", stay.checkIn), ("Check-out", stay.checkOut)] {
                line(
                    name, [moment.map { "\($0.dayAndClock), \(Itinerary.Place(city: "", zone: $0.zone).words)" } ?? ""])
            }
        }
        if let organization = item.organization.flatMap({ document.organizations[$0] }) {
            line("With", [organization.name, organization.phone, organization.website])
        }
        for contact in item.contacts { line("Contact", [contact.name, contact.role, contact.phone, contact.email]) }
        for link in item.links where !link.url.isURI { line("Link", [link.title, link.url]) }
        if hasCosts {
            line("Cost", [item.cost.map { "\($0)" } ?? ""])
            line("Paid", [item.paidCost.map { "\($0)" } ?? ""])
        }
        for file in document.attachments[item.reference] ?? [] { line("Attached", [file.name, file.caption]) }
        text = [lines.joined(separator: "\n"), item.notes].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}

/// The names of colours that RFC 7986 takes from CSS.
enum CalendarColor {
    private static let colors: [(name: String, red: Int, green: Int, blue: Int)] = [
        ("black", 0, 0, 0), ("gray", 128, 128, 128), ("silver", 192, 192, 192), ("white", 255, 255, 255),
        ("maroon", 128, 0, 0),
        ("red", 255, 0, 0), ("tomato", 255, 99, 71), ("orange", 255, 165, 0), ("gold", 255, 215, 0),
        ("yellow", 255, 255, 0),
        ("olive", 128, 128, 0), ("green", 0, 128, 0), ("lime", 0, 255, 0), ("seagreen", 46, 139, 87),
        ("teal", 0, 128, 128),
        ("turquoise", 64, 224, 208), ("skyblue", 135, 206, 235), ("steelblue", 70, 130, 180), ("blue", 0, 0, 255),
        ("navy", 0, 0, 128),
        ("purple", 128, 0, 128), ("orchid", 218, 112, 214), ("magenta", 255, 0, 255), ("pink", 255, 192, 203),
        ("brown", 165, 42, 42),
        ("tan", 210, 180, 140),
    ]

    /// The name, or of `#RRGGBB` that of the nearest colour; nil for anything else.
    static func name(of color: String) -> String? {
        let text = color.lowercased()
        if colors.contains(where: { $0.name == text }) { return text }
        guard text.utf8.count == 7, text.first == "#", let number = Int(text.dropFirst(), radix: 16) else { return nil }
        let (red, green, blue) = (number >> 16, number >> 8 & 0xFF, number & 0xFF)
        func distance(_ other: (name: String, red: Int, green: Int, blue: Int)) -> Int {
            (red - other.red) * (red - other.red) + (green - other.green) * (green - other.green)
                + (blue - other.blue) * (blue - other.blue)
        }
        return colors.min { distance($0) < distance($1) }?.name
    }
}
