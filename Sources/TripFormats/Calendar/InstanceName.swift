/// What names a time of an event beside its UID.
///
/// A time of a rule is named by its number: so it keeps its name when the series is moved or when a single event begins to recur. A date of
/// RDATE, and a time of an event whose series the file does not have, are named by when they were to be.
struct InstanceName {
    /// Which time of its rule it is; nil for a date. An event that does not recur has the name of the first time.
    private let ordinal: Int?
    /// When it was to be; nil for an event that does not recur.
    private let original: CalendarTime?

    static let whole = InstanceName(0, nil)

    init(_ ordinal: Int?, _ original: CalendarTime?) { (self.ordinal, self.original) = (ordinal, original) }

    var isFirst: Bool { ordinal == 0 }
    var isNumbered: Bool { ordinal != nil }

    func name(_ uid: String, _ line: Int, _ resolver: inout ZoneResolver) -> String {
        ordinal.map { Self.name(uid, $0) } ?? date(uid, line, &resolver) ?? uid
    }

    /// The name that a file without its series gave a numbered time.
    func others(_ uid: String, _ line: Int, _ resolver: inout ZoneResolver) -> [String] {
        guard ordinal != nil, let date = date(uid, line, &resolver) else { return [] }
        return [date]
    }

    static func name(_ uid: String, _ ordinal: Int) -> String { ordinal == 0 ? uid : "\(uid)#\(ordinal)" }

    private func date(_ uid: String, _ line: Int, _ resolver: inout ZoneResolver) -> String? {
        original.map { "\(uid)#\(resolver.key($0, line))" }
    }
}
