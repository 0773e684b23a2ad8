import Events
public import Trips

extension AppView {
    /// A view of items of all kinds.
    public init(
        items name: String, version: UInt32,
        rows: @escaping @Sendable (_ item: TripItem, _ rows: inout AppRows<Key, Value>) -> Void
    ) {
        self.init(name, version, "") { (entity, record, found) throws(WireError) in
            guard try record.isPresent(), let item = try TripItem(entity, record: record) else { return }
            rows(item, &found)
        }
    }
}

extension AppSums {
    /// Sums of what items of all kinds that are present contribute.
    public init(
        items name: String, version: UInt32,
        sums: @escaping @Sendable (_ item: TripItem, _ sums: inout Contributions<Key>) -> Void
    ) {
        self.init(name, version, .entities) { (entity, record, found) throws(WireError) in
            guard try record.isPresent(), let item = try TripItem(entity, record: record) else { return }
            sums(item, &found)
        }
    }
}

extension TripItem.ID: ViewValue {
    public func write(to bytes: inout ViewBytes) { bytes.append(reference) }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let reference = EntityReference(reading: &bytes) else { return nil }
        self.init(reference)
    }
}

extension PaidStatus: ViewValue {}
extension PlanningStage: ViewValue {}
extension TransportationMode: ViewValue {}
