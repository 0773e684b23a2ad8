import Foundation

/// A place on the globe in integers, so that every replica finds the same places near another.
struct GlobePoint: Hashable, Sendable {
    /// In units of 10⁻⁷ degrees, about a centimetre: -90·10⁷ to 90·10⁷, and -180·10⁷ to 180·10⁷.
    let latitude: Int64
    let longitude: Int64

    static let degree: Int64 = 10_000_000

    init(latitude: Int64, longitude: Int64) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Nil for what is not on the globe.
    init?(_ coordinates: Coordinates) {
        guard coordinates.isInRange else { return nil }
        latitude = Int64((coordinates.latitude * Double(Self.degree)).rounded())
        longitude = Int64((coordinates.longitude * Double(Self.degree)).rounded())
    }

    /// The place of an address, from the bytes of its field; nil if it has none.
    init?(address bytes: UnsafeRawBufferPointer) {
        guard let coordinates = Address.decoded(bytes)?.coordinates else { return nil }
        self.init(coordinates)
    }

    /// Whether another place is at most so far away, along the surface of a sphere of the mean radius of the Earth.
    ///
    /// By the straight line between the two: its length is 2·R·sin(d/2R). With 30 binary digits after the point that is right to some
    /// centimetres, and to some hundred metres near the other side of the globe, where the line hardly changes; the Earth itself differs
    /// from a sphere by up to 0.5 %.
    func isWithin(_ distance: GlobeDistance, of other: GlobePoint) -> Bool {
        if distance.isEverywhere { return true }
        let (a, b) = (vector, other.vector)
        let (x, y, z) = (a.x - b.x, a.y - b.y, a.z - b.z)
        return x * x + y * y + z * z <= distance.squaredChord
    }

    /// The distance along the surface, as exact as `isWithin`, by the arc of the straight line.
    func kilometers(to other: GlobePoint) -> Double {
        let (a, b) = (vector, other.vector)
        let (x, y, z) = (Double(a.x - b.x), Double(a.y - b.y), Double(a.z - b.z))
        let chord = (x * x + y * y + z * z).squareRoot() / Double(1 << 30)
        return 2 * 6_371.0088 * asin(min(1, chord / 2))
    }

    /// On the unit sphere, with 30 binary digits after the point.
    private var vector: (x: Int64, y: Int64, z: Int64) {
        let cosine = FixedSine.cosine(latitude)
        return (
            (cosine * FixedSine.cosine(longitude)) >> 30, (cosine * FixedSine.sine(longitude)) >> 30,
            FixedSine.sine(latitude)
        )
    }
}

/// A distance along the surface of the globe.
struct GlobeDistance: Hashable, Sendable {
    /// At most half of the circumference.
    let millimeters: Int64

    private static let diameter: Int128 = 2 * 6_371_008_800
    /// Half of the circumference, rounded up.
    private static let farthest: Int64 = 20_015_114_443

    /// Nil for a number that is no distance.
    init?(meters: Double) {
        guard meters >= 0 else { return nil }
        millimeters = meters < 20_100_000 ? min(Int64((meters * 1_000).rounded()), Self.farthest) : Self.farthest
    }

    var isEverywhere: Bool { millimeters >= Self.farthest }

    /// The square of the straight line's length, with 60 binary digits after the point.
    var squaredChord: Int64 {
        let halfAngle = (Int128(millimeters) << 60) / Self.diameter
        let chord = Int64((2 * FixedSine.sine(radians: halfAngle)) >> 30)
        return chord * chord
    }

    /// The angle at the centre in units of 10⁻⁷ degrees, and a metre more for what is rounded.
    var angle: Int64 {
        // 180·10⁷ degrees are half of the circumference.
        Int64((Int128(millimeters) * 180 * Int128(GlobePoint.degree)) / Int128(Self.farthest)) + 100
    }
}

/// Sines in integers: the same on every platform.
enum FixedSine {
    /// π/180·10⁻⁷, with 90 binary digits after the point.
    private static let radian: Int128 = 2_160_612_962_779_783_726
    private static let quarter = 90 * GlobePoint.degree

    /// Of an angle in units of 10⁻⁷ degrees from -180 to 180 degrees, with 30 binary digits after the point.
    static func sine(_ angle: Int64) -> Int64 {
        let folded = angle > quarter ? 2 * quarter - angle : angle < -quarter ? -2 * quarter - angle : angle
        return Int64(sine(radians: (Int128(folded) * radian) >> 30) >> 30)
    }

    static func cosine(_ angle: Int64) -> Int64 { sine(quarter - abs(angle)) }

    /// By the Taylor series, of an angle between -π/2 and π/2; both with 60 binary digits after the point.
    static func sine(radians: Int128) -> Int128 {
        let square = (radians * radians) >> 60
        var (term, sum) = (radians, radians)
        for index in 1...13 {
            term = -((term * square) >> 60) / Int128(2 * index * (2 * index + 1))
            sum += term
        }
        return sum
    }
}
