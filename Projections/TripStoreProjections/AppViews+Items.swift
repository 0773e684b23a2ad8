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

extension TripItem {
    /// Reads an item in place from the bytes of its record; nil if the reference names no item.
    ///
    /// Throws `WireError` if the record cannot be read.
    init?(_ reference: EntityReference, record: borrowing RecordView) throws(WireError) {
        switch reference.kind {
        case .activity: self = .activity(try Activity(id: Identifier(reference.id), record: record))
        case .lodging: self = .lodging(try Lodging(id: Identifier(reference.id), record: record))
        case .transportation: self = .transportation(try Transportation(id: Identifier(reference.id), record: record))
        default: return nil
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
