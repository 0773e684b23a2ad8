/// The place where a journey begins or ends: an airport, a station, a port, a street corner.
///
/// Each part is a separate field in the log: a gate that one device learns of and a terminal that another corrects
/// concurrently both count.
public struct TravelPlace: Hashable, Sendable, Codable {
    /// The name that people use, as in "Lisboa Santa Apolónia".
    public var name = ""
    /// The carrier's code: of an airport its IATA code, as in "LIS", of a station the railway's code. Kept as written.
    public var code = ""
    public var terminal = ""
    /// The gate, or the platform.
    public var gate = ""
    /// The address, and in it the coordinates.
    public var address: Address?

    /// A place of which any part may be left out.
    public init(
        name: String = "", code: String = "", terminal: String = "", gate: String = "", address: Address? = nil
    ) {
        self.name = name
        self.code = code
        self.terminal = terminal
        self.gate = gate
        self.address = address
    }

    /// The coordinates of the address; setting them keeps the rest of it.
    public var coordinates: Coordinates? {
        get { address?.coordinates }
        set {
            var changed = address ?? Address()
            changed.coordinates = newValue
            address = changed.isEmpty ? nil : changed
        }
    }

    /// Whether no part is set.
    public var isEmpty: Bool { self == TravelPlace() }
}
