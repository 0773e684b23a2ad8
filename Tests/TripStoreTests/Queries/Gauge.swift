import Foundation
import TripStore

// As an app sees the library: the fields of the store's own kinds are not at hand.

/// Has a field of each type of which predicates have constants.
struct Gauge: OwnEntity {
    let id: Identifier<Gauge>
    var name = ""
    var count = 0
    var level = 0.0
    var isOn = false
    var label: String?
    var limit: Double?
    var isSeen: Bool?
    var day: Day?
    var read: Date?
    var moment: Moment?
    var key: UUID?
    var parent: Folder.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    static let schema = Schema<Gauge>(
        "org.example.gauges", 1, "gauge",
        [
            Field(1, "name", \.name), Field(12, "count", \.count), Field(3, "level", \.level), Field(4, "isOn", \.isOn),
            Field(5, "label", \.label), Field(6, "limit", \.limit), Field(7, "isSeen", \.isSeen),
            Field(8, "day", \.day), Field(9, "read", \.read), Field(10, "moment", \.moment), Field(11, "key", \.key),
            .parent("parent", \.parent, isRequired: false, whenDeleted: .nullify),
        ])
}
