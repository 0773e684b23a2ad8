/// Places names beside the dots of a map, so that none covers another, or a dot.
struct MapLabels {
    struct Label {
        let text: String
        let position: MapPosition
        /// The end of the text that is at the position: `start`, `middle` or `end`.
        let anchor: String
    }

    static let dotRadius: Double = 7
    /// Sizes of a line of text, and about of its letters, in units.
    private static let (lineHeight, letterWidth, wideLetterWidth): (Double, Double, Double) = (14, 6.3, 12)
    private static let longest = 26

    private(set) var taken: [MapBox]
    private let bounds: MapBox

    /// - Parameter taken: boxes that stay free of names.
    init(_ frame: MapFrame, _ places: [TripMap.Place], taken: [MapBox]) {
        bounds = MapBox(x: 0, y: 0, width: MapFrame.width, height: frame.height)
        let radius = Self.dotRadius
        self.taken =
            taken
            + places.map {
                MapBox(x: $0.position.x - radius, y: $0.position.y - radius, width: 2 * radius, height: 2 * radius)
            }
    }

    /// Takes the first of eight places around the dot that is free; nil if none is. O(boxes).
    mutating func place(_ name: String, at dot: MapPosition) -> Label? {
        let text = name.count > Self.longest ? String(name.prefix(Self.longest - 1)) + "…" : name
        let width = text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? Self.letterWidth : Self.wideLetterWidth) }
        let (near, height) = (Self.dotRadius + 3, Self.lineHeight)
        let (right, left, middle) = (dot.x + near, dot.x - near - width, dot.x - width / 2)
        let (above, level, below) = (dot.y - near - height + 2, dot.y - height / 2, dot.y + near - 2)
        let candidates = [
            (right, level, "start"), (left, level, "end"), (middle, below, "middle"), (middle, above, "middle"),
            (right - 4, below - 4, "start"), (right - 4, above + 4, "start"), (left + 4, below - 4, "end"),
            (left + 4, above + 4, "end"),
        ]
        for (x, y, anchor) in candidates {
            let box = MapBox(x: x, y: y, width: width, height: height)
            guard bounds.contains(box), !taken.contains(where: box.overlaps) else { continue }
            taken.append(box)
            let shift = anchor == "start" ? 0 : anchor == "end" ? width : width / 2
            return Label(text: text, position: MapPosition(x: x + shift, y: y + height - 3.5), anchor: anchor)
        }
        return nil
    }
}

extension MapBox {
    fileprivate func contains(_ other: MapBox) -> Bool {
        x <= other.x && other.x + other.width <= x + width && y <= other.y && other.y + other.height <= y + height
    }
}
