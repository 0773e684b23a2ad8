public import Events
public import Foundation

/// A journey: a name, a span of calendar days, and the items that name it.
public struct Trip: TripEntity {
    public let id: Identifier<Trip>
    public var name = ""
    /// Where it goes, in the planner's words.
    public var destination = ""
    public var notes = ""
    /// The first day; nil while it is open. Calendar days have no zone.
    public var startDay: Day?
    /// The last day, as written: a merge of two edits may put it before the start. See `effectiveEndDay`.
    public var endDay: Day?
    /// Whether apps ask before they show or change it.
    public var isProtected = false
    public package(set) var createdAt: Date?
    public package(set) var updatedAt: Date?
    private var originalCreationMilliseconds: Int64?

    /// A trip of a span of days, or of none.
    public init(
        id: ID = .new(), name: String, destination: String = "", days: ClosedRange<Day>? = nil, notes: String = "",
        isProtected: Bool = false, originalCreation: Date? = nil
    ) {
        self.init(
            id: id, name: name, destination: destination, startDay: days?.lowerBound, endDay: days?.upperBound,
            notes: notes, isProtected: isProtected, originalCreation: originalCreation)
    }

    /// A trip of which either end may be open.
    public init(
        id: ID = .new(), name: String, destination: String = "", startDay: Day?, endDay: Day?, notes: String = "",
        isProtected: Bool = false, originalCreation: Date? = nil
    ) {
        self.id = id
        self.name = name
        self.destination = destination
        self.notes = notes
        self.startDay = startDay
        self.endDay = endDay
        self.isProtected = isProtected
        self.originalCreation = originalCreation
    }

    public init(id: ID) { self.id = id }

    /// When an imported trip was created in the app that it comes from, to the millisecond.
    public var originalCreation: Date? {
        get { originalCreationMilliseconds.map { Date(milliseconds: $0) } }
        set { originalCreationMilliseconds = newValue?.milliseconds }
    }

    /// The last day, but no earlier than the first.
    public var effectiveEndDay: Day? { endDay.map { max($0, startDay ?? $0) } }
}

extension Trip {
    /// The fields by their numbers in the log. 2 is the field of what an entity belongs to, in every kind.
    public enum Field: UInt32, EntityField {
        case name = 1
        case notes = 3
        case startDay = 4
        case endDay = 5
        case isProtected = 6
        case originalCreation = 7
        case destination = 8
    }

    public static let kind = EntityKind.trip

    public static let fields = Field.allCases

    public static let fieldSet = Set(fields)

    public static func name(of field: Field) -> String {
        switch field {
        case .startDay: "startDate"
        case .endDay: "endDate"
        default: String(describing: field)
        }
    }

    public init(id: ID, record: borrowing RecordView) throws(WireError) {
        // Not through another initialiser: the finished value would be copied.
        self.id = id
        (createdAt, updatedAt) = try read(record)
    }

    public init(id: ID, record: EntityRecord) {
        self.init(id: id)
        (createdAt, updatedAt) = read(record)
    }

    public func encoded(_ field: Field) -> [UInt8]? {
        switch field {
        case .name: name.encodedValue
        case .destination: destination.encodedValue
        case .notes: notes.encodedValue
        case .startDay: startDay?.encodedValue
        case .endDay: endDay?.encodedValue
        case .isProtected: isProtected.encodedValue
        case .originalCreation: originalCreation?.encodedValue
        }
    }

    public mutating func decode(_ field: Field, _ value: [UInt8]?) { decodeCopy(field, value) }

    mutating func decode(_ field: Field, _ value: UnsafeRawBufferPointer?) {
        switch field {
        case .name: name = String.decoded(value) ?? ""
        case .destination: destination = String.decoded(value) ?? ""
        case .notes: notes = String.decoded(value) ?? ""
        case .startDay: startDay = Day.decoded(value)
        case .endDay: endDay = Day.decoded(value)
        case .isProtected: isProtected = Bool.decoded(value) ?? false
        case .originalCreation: originalCreation = Date.decoded(value)
        }
    }
}

extension Trip.Field: SchemaField {
    var isJudgedWithOthers: Bool { self == .startDay || self == .endDay }

    var isName: Bool { self == .name }

    var valueType: any FieldValue.Type {
        switch self {
        case .name, .destination, .notes: String.self
        case .startDay, .endDay: Day.self
        case .isProtected: Bool.self
        case .originalCreation: Date.self
        }
    }
}
