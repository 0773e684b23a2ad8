import Events
import Foundation

/// A place on the globe, in degrees (WGS 84).
public struct Coordinates: Sendable {
    /// North of the equator, -90 to 90.
    public var latitude: Double
    /// East of Greenwich, -180 to 180.
    public var longitude: Double
    /// Fields of the value that this version does not know, unchanged.
    package var unknownFields: [UInt8] = []

    /// Keeps any numbers, so that a form can hold its input; validation refuses those out of range.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether they are on the globe.
    package var isInRange: Bool { -90...90 ~= latitude && -180...180 ~= longitude }
}

extension Coordinates: Hashable {
    /// Equal bits, so that equality is that of the bytes in the log, and holds for NaN.
    public static func == (a: Coordinates, b: Coordinates) -> Bool {
        a.latitude.bitPattern == b.latitude.bitPattern && a.longitude.bitPattern == b.longitude.bitPattern
            && a.unknownFields == b.unknownFields
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(latitude.bitPattern)
        hasher.combine(longitude.bitPattern)
        hasher.combine(unknownFields)
    }
}

extension Coordinates {
    init(encoded bytes: UnsafeRawBufferPointer) throws(WireError) {
        (latitude, longitude) = (0, 0)
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: latitude = try reader.double(field)
            case 2: longitude = try reader.double(field)
            default: unknownFields += try reader.skip(field)
            }
        }
    }

    func write(to writer: inout WireWriter) {
        if latitude.bitPattern != 0 { writer.double(1, latitude) }
        if longitude.bitPattern != 0 { writer.double(2, longitude) }
        writer.raw(unknownFields)
    }
}
