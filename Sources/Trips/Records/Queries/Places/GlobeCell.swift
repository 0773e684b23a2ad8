/// Cells of the globe, one inside of another: the bits of latitude and longitude in turn, of which places near each other mostly have the
/// first in common (G. M. Morton, 1966).
enum GlobeCell {
    /// The smallest cell of a place: 10⁻⁷ degrees.
    static func number(_ place: GlobePoint) -> UInt64 {
        interleaved(UInt32(place.latitude + 90 * GlobePoint.degree), UInt32(place.longitude + 180 * GlobePoint.degree))
    }

    /// As the keys of an index have it.
    static func ordered(_ number: UInt64) -> OrderedValue { .integer(Int64(bitPattern: number ^ 1 << 63)) }

    private static func interleaved(_ latitude: UInt32, _ longitude: UInt32) -> UInt64 {
        spread(latitude) << 1 | spread(longitude)
    }

    /// With a 0 before each bit.
    private static func spread(_ number: UInt32) -> UInt64 {
        var bits = UInt64(number)
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        bits = (bits | bits << 1) & 0x5555_5555_5555_5555
        return bits
    }

    /// Degrees as offsets from the south pole and from 180° west.
    private struct Box {
        var latitudes: ClosedRange<Int64>
        var longitudes: ClosedRange<Int64>
    }

    /// The most ranges of cells of a cover: more would fit better, and take more seeks.
    private static let mostRanges = 24

    /// Ranges of numbers that hold every place within a distance of another, ascending.
    static func cover(_ distance: GlobeDistance, around place: GlobePoint) -> [ClosedRange<UInt64>] {
        let boxes = boxes(distance, around: place)
        // Squares of a power of 2, which are divided into four as long as that leaves few enough.
        var squares: [(latitude: UInt32, longitude: UInt32, bits: Int)] = [(0, 0, 32)]
        while let index = squares.indices.filter({ squares[$0].bits > 0 && !isInside(squares[$0], boxes) })
            .max(by: { squares[$0].bits < squares[$1].bits })
        {
            let square = squares[index]
            let half = UInt32(1) << UInt32(square.bits - 1)
            let parts = [(0, 0), (0, half), (half, 0), (half, half)].map { offset in
                (latitude: square.latitude + offset.0, longitude: square.longitude + offset.1, bits: square.bits - 1)
            }.filter { meets($0, boxes) }
            guard squares.count - 1 + parts.count <= mostRanges else { break }
            squares.remove(at: index)
            squares += parts
        }
        let ranges = squares.map { square in
            let first = interleaved(square.latitude, square.longitude)
            return first...(first | (square.bits == 32 ? .max : UInt64(1) << UInt64(2 * square.bits) - 1))
        }
        return ranges.sorted { $0.lowerBound < $1.lowerBound }
    }

    private static func sides(_ square: (latitude: UInt32, longitude: UInt32, bits: Int)) -> Box {
        let last = Int64(1) << Int64(square.bits) - 1
        return Box(
            latitudes: Int64(square.latitude)...Int64(square.latitude) + last,
            longitudes: Int64(square.longitude)...Int64(square.longitude) + last)
    }

    private static func meets(_ square: (latitude: UInt32, longitude: UInt32, bits: Int), _ boxes: [Box]) -> Bool {
        let sides = sides(square)
        return boxes.contains { $0.latitudes.overlaps(sides.latitudes) && $0.longitudes.overlaps(sides.longitudes) }
    }

    private static func isInside(_ square: (latitude: UInt32, longitude: UInt32, bits: Int), _ boxes: [Box]) -> Bool {
        let sides = sides(square)
        return boxes.contains { box in
            box.latitudes.lowerBound <= sides.latitudes.lowerBound
                && sides.latitudes.upperBound <= box.latitudes.upperBound
                && box.longitudes.lowerBound <= sides.longitudes.lowerBound
                && sides.longitudes.upperBound <= box.longitudes.upperBound
        }
    }

    /// What lies within the distance is inside of one of them; there are two where they meet at 180°.
    private static func boxes(_ distance: GlobeDistance, around place: GlobePoint) -> [Box] {
        let (degree, angle) = (GlobePoint.degree, distance.angle)
        let latitude = place.latitude + 90 * degree
        let longitude = place.longitude + 180 * degree
        let latitudes = max(0, latitude - angle)...min(180 * degree, latitude + angle)
        let everywhere = Box(latitudes: latitudes, longitudes: 0...360 * degree)
        guard abs(place.latitude) + angle < 90 * degree else { return [everywhere] }
        // The difference of longitudes is at most asin(sin(angle) / cos(latitude)), and asin(x) at most π/2·x.
        let cosine = Int128(FixedSine.cosine(place.latitude))
        let difference = Int64(clamping: Int128(angle) * 16 / 10 * (1 << 30) / max(1, cosine)) + 1
        guard difference < 180 * degree else { return [everywhere] }
        let (west, east) = (longitude - difference, longitude + difference)
        var boxes = [Box(latitudes: latitudes, longitudes: max(0, west)...min(360 * degree, east))]
        if west < 0 { boxes.append(Box(latitudes: latitudes, longitudes: (360 * degree + west)...360 * degree)) }
        if east > 360 * degree { boxes.append(Box(latitudes: latitudes, longitudes: 0...(east - 360 * degree))) }
        return boxes
    }
}
