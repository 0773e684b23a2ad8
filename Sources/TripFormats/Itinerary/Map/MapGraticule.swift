import Foundation
import TripStore

/// Meridians and parallels of round numbers of degrees, and where they leave a picture.
struct MapGraticule {
    struct Label {
        let text: String
        let position: MapPosition
        /// Whether it stands at the lower edge, and not at the left one.
        let isMeridian: Bool
    }

    private static let steps: [Double] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30]
    /// Units between two lines, at least.
    private static let leastDistance: Double = 70

    private(set) var path = MapPath()
    private(set) var labels: [Label] = []

    init(_ frame: MapFrame) {
        let middle = frame.projection.center.coordinates
        let seen = Self.seen(by: frame, around: middle.longitude)
        let degrees = Self.leastDistance / frame.scale * 180 / .pi
        let latitudeStep = Self.step(degrees)
        let longitudeStep =
            seen.hasPole ? 30 : Self.step(degrees / max(0.002, cos(middle.latitude * .pi / 180)))
        // At the pole all meridians would meet.
        let limit = 90 - min(2, latitudeStep / 2)
        let length = seen.latitudes.clamped(to: -limit...limit)
        for number in Self.numbers(seen.longitudes, longitudeStep) {
            let longitude = Double(number) * longitudeStep
            let line = Self.values(length).map { GlobePoint(Coordinates(latitude: $0, longitude: longitude)) }
            let turned = (longitude + 540).truncatingRemainder(dividingBy: 360) - 180
            add(line, Self.words(turned, "E", "W", longitudeStep), isMeridian: true, frame)
        }
        for number in Self.numbers(seen.latitudes, latitudeStep) where abs(Double(number) * latitudeStep) < 90 {
            let latitude = Double(number) * latitudeStep
            let line = Self.values(seen.longitudes).map { GlobePoint(Coordinates(latitude: latitude, longitude: $0)) }
            add(line, Self.words(latitude, "N", "S", latitudeStep), isMeridian: false, frame)
        }
    }

    private mutating func add(_ line: [GlobePoint], _ text: String, isMeridian: Bool, _ frame: MapFrame) {
        path.add(line, in: frame)
        let positions = line.map(frame.position(of:))
        for (a, b) in zip(positions, positions.dropFirst()) {
            let (from, to, edge) = isMeridian ? (a.y, b.y, frame.height) : (a.x, b.x, 0)
            guard (from < edge) != (to < edge), frame.joins(a, b) else { continue }
            let share = (edge - from) / (to - from)
            let position = MapPosition(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y))
            guard frame.isNear(position, within: 1) else { continue }
            labels.append(Label(text: text, position: position, isMeridian: isMeridian))
            return
        }
    }

    /// The degrees that a picture shows, at a grid of its positions. Longitudes count from that of its middle, so that none is left out over the
    /// antimeridian.
    private static func seen(
        by frame: MapFrame, around middle: Double
    ) -> (latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>, hasPole: Bool) {
        var (latitudes, longitudes): ([Double], [Double]) = ([], [])
        // A little beyond its edges, so that lines cross them.
        for column in -1...21 {
            for row in -1...17 {
                let position = MapPosition(
                    x: MapFrame.width * Double(column) / 20, y: frame.height * Double(row) / 16)
                guard let place = frame.point(at: position)?.coordinates else { continue }
                latitudes.append(place.latitude)
                longitudes.append(middle + (place.longitude - middle).remainder(dividingBy: 360))
            }
        }
        let poles: [Double] = [-90, 90].filter {
            frame.isNear(frame.position(of: GlobePoint(Coordinates(latitude: $0, longitude: 0))), within: 0)
        }
        latitudes += poles
        let east = poles.isEmpty ? longitudes.max() ?? middle : middle + 180
        let west = poles.isEmpty ? longitudes.min() ?? middle : middle - 180
        return ((latitudes.min() ?? -90)...(latitudes.max() ?? 90), west...east, !poles.isEmpty)
    }

    private static func step(_ least: Double) -> Double { steps.first { $0 >= least } ?? 30 }

    /// The multiples of a step in a range, which goes around the globe at most once.
    private static func numbers(_ range: ClosedRange<Double>, _ step: Double) -> [Int] {
        let (first, last) = (Int((range.lowerBound / step).rounded(.up)), Int((range.upperBound / step).rounded(.down)))
        let around = Int((360 / step).rounded())
        return first > last ? [] : Array(first...min(last, first + around - 1))
    }

    private static func values(_ range: ClosedRange<Double>) -> [Double] {
        (0...72).map { range.lowerBound + (range.upperBound - range.lowerBound) * Double($0) / 72 }
    }

    private static func words(_ degrees: Double, _ positive: String, _ negative: String, _ step: Double) -> String {
        let thousandths = Int((abs(degrees) * 1000).rounded())
        let decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
        if thousandths == 0 { return "0°" }
        let number = String(format: "%.\(decimals)f", Double(thousandths) / 1000)
        return number + (thousandths == 180_000 ? "°" : "° " + (degrees < 0 ? negative : positive))
    }
}
