import Trips

extension TripEntity {
    /// The bytes of the field that a property holds; nil if it has its default.
    func encoded(_ property: PartialKeyPath<Self>) -> [UInt8]? {
        Self.schema.number(of: property).flatMap { encoded($0) }
    }
}
