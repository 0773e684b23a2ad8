import TripFormats
import TripStore

/// A value of a chosen field in a list for people.
struct ListedValue<Entity: TripEntity> {
    let entity: Entity

    init(of entity: Entity) { self.entity = entity }

    /// The value as it is shown everywhere. What has no clock time shows its day, and on a terminal, where room is dear, a moment has the clock
    /// of its place without the distance from UTC.
    func words(_ value: FieldRendering) -> String {
        if value.text.isEmpty { return day(value.name) ?? "" }
        guard Console.current.layout.columns != nil, case .object(let members) = value.value,
            case .string(let time)? = members["time"], case .string(let zone)? = members["zone"]
        else { return value.text }
        return "\(time.prefix(16).replacing("T", with: " ")) \(zone)"
    }

    private func day(_ field: String) -> String? {
        guard let item = TripItem(entity) else { return nil }
        let day = field == "start" ? item.startDay : field == "end" ? item.effectiveEndDay : nil
        return day.map { "\($0)" }
    }
}

extension FieldRendering {
    var isMoney: Bool { if case .object(let members) = value { members["minor"] != nil } else { false } }
}
