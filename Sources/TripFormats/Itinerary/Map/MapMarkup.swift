import Events
import Foundation
import TripStore

/// The map of a trip as SVG, with a list of its places.
struct MapMarkup {
    private let map: TripMap
    private let level: Int
    /// The names that the list has of a place.
    private static let mostNames = 8

    init(_ map: TripMap, level: Int) { (self.map, self.level) = (map, level) }

    /// A section.
    func text(_ anchor: String) -> String {
        let count = map.places.count.counted("place")
        var text = HTML.sectionHead("\(anchor)-map", "Map", level: level, class: "map")
        text += "<figure>\n" + picture("\(count), with their numbers in the list")
        text += "<ol class=\"stops\" role=\"list\">\n" + map.places.map(line).joined() + "</ol>\n</figure>\n"
        if map.missing > 0 {
            let (items, have) = (map.missing.counted("item"), map.missing == 1 ? "has" : "have")
            text +=
                "<p class=\"soft\">\(items) not on the map: \(map.missing == 1 ? "it" : "they") \(have) no coordinates to show.</p>\n"
        }
        return text + "</section>\n"
    }

    private func line(_ place: TripMap.Place) -> String {
        let names = place.names.prefix(Self.mostNames).map(HTML.name)
        let others = place.names.count - names.count
        return "<li>\(names.joined(separator: ", "))\(others > 0 ? ", and \(others) more" : "")</li>\n"
    }

    private func picture(_ description: String) -> String {
        let (frame, width) = (map.frame, MapFrame.width)
        let size = "0 0 \(Self.number(width)) \(Self.number(frame.height))"
        var text = "<svg viewBox=\"\(size)\" role=\"img\" aria-label=\"Map of \(description)\">\n"
        // Paths are in tenths of a unit.
        text += "<g transform=\"scale(.1)\">"
        let graticule = MapGraticule(frame)
        text += Self.path("grid", graticule.path)
        if frame.scale < Coastline.mostScale {
            var coast = MapPath()
            for line in Coastline.coasts { coast.add(line, in: frame, step: 1.2) }
            text += Self.path("coast", coast)
        }
        for (name, lines) in [("way", map.others), ("way flight", map.flights)] {
            var path = MapPath()
            for line in lines { path.add(line, in: frame) }
            text += Self.path(name, path)
        }
        text += "</g>\n"
        var taken: [MapBox] = []
        let bar = ScaleBar(frame)
        taken.append(bar.box)
        for label in graticule.labels {
            let (x, y) = label.isMeridian ? (label.position.x - 16, frame.height - 12) : (0, label.position.y - 12)
            let box = MapBox(x: x, y: y, width: 34, height: 12)
            if x < 0 || y < 0 || taken.contains(where: box.overlaps) { continue }
            taken.append(box)
            let at = MapPosition(x: label.isMeridian ? label.position.x : 3, y: y + 9)
            text += Self.text("degrees", label.isMeridian ? "middle" : "start", at, label.text)
        }
        text += bar.markup
        var labels = MapLabels(frame, map.places, taken: taken)
        for place in map.places {
            if let label = labels.place(place.label, at: place.position) {
                text += Self.text("place", label.anchor, label.position, label.text)
            }
        }
        for (number, place) in map.places.enumerated() {
            let (x, y) = (Self.number(place.position.x), Self.number(place.position.y))
            text += "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(Self.number(MapLabels.dotRadius))\"></circle>"
            let below = MapPosition(x: place.position.x, y: place.position.y + 3)
            text += Self.text("number", "middle", below, "\(number + 1)")
        }
        return text + "</svg>\n"
    }

    private static func path(_ name: String, _ path: MapPath) -> String {
        path.data.isEmpty ? "" : "<path class=\"\(name)\" d=\"\(path.data)\"></path>"
    }

    fileprivate static func text(_ name: String, _ anchor: String, _ at: MapPosition, _ text: String) -> String {
        "<text class=\"\(name)\" x=\"\(number(at.x))\" y=\"\(number(at.y))\" text-anchor=\"\(anchor)\">\(HTML.plain(text))</text>\n"
    }

    /// With one decimal at most.
    fileprivate static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : String(format: "%.1f", value)
    }
}

/// A length of a round number of kilometres, which is true from the middle of the map.
struct ScaleBar {
    let kilometres: Double
    /// In units.
    let length: Double
    private let frame: MapFrame

    init(_ frame: MapFrame) {
        self.frame = frame
        let most = MapFrame.width / 4 / frame.scale * MapFrame.earthRadius
        let power = pow(10, floor(log10(most)))
        kilometres = ([5, 2, 1].first { $0 * power <= most } ?? 1) * power
        length = kilometres / MapFrame.earthRadius * frame.scale
    }

    var box: MapBox {
        MapBox(x: MapFrame.width - length - 12, y: frame.height - 26, width: length + 12, height: 26)
    }

    var markup: String {
        let words = kilometres < 1 ? "\(Int((kilometres * 1000).rounded())) m" : "\(Int(kilometres.rounded())) km"
        let (right, bottom) = (MapFrame.width - 8, frame.height - 8)
        let (start, end) = (MapMarkup.number(right - length), MapMarkup.number(right))
        let (top, low) = (MapMarkup.number(bottom - 4), MapMarkup.number(bottom))
        return "<path class=\"bar\" d=\"M\(start) \(top)V\(low)H\(end)V\(top)\"></path>"
            + MapMarkup.text("degrees", "middle", MapPosition(x: right - length / 2, y: bottom - 6), words)
    }
}
