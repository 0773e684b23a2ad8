package import Events
public import Foundation

/// A journey: a name, a span of calendar days, and the items that name it.
public struct Trip: NumberedEntity {
    public let id: Identifier<Trip>
    public var name = ""
    /// The destination of the trip, in the planner's words.
    public var destination = ""
    public var notes = ""
    /// The first day; nil while it is open. Calendar days have no zone. JSON, history and queries in words call it `startDate`.
    public var startDay: Day?
    /// The last day, as written: a merge of two edits may put it before the start. See `effectiveEndDay`. JSON, history and queries in words
    /// call it `endDate`.
    public var endDay: Day?
    /// Whether apps ask before they show or change it.
    public var isProtected = false
    /// Whether all of it is there.
    public var status = ProcessingStatus.ready
    /// How far the plan has come. It changes nothing in the items.
    public var stage = PlanningStage.planned
    var rare = Rare<RareTripValues>()
    var state = StoredState()
    private var originalCreationMilliseconds: Int64?
    private var archivingMilliseconds: Int64?

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
    package init(
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

    init(blank id: ID) { self.id = id }

    /// When an imported trip was created in the app that it comes from, to the millisecond.
    public var originalCreation: Date? {
        get { originalCreationMilliseconds.map { Date(milliseconds: $0) } }
        set { originalCreationMilliseconds = newValue?.milliseconds }
    }

    /// When it was archived, to the millisecond; nil if it is not. Queries list it as before: whether to show it is the app's choice.
    public var archivedAt: Date? {
        get { archivingMilliseconds.map { Date(milliseconds: $0) } }
        set { archivingMilliseconds = newValue?.milliseconds }
    }

    /// The last day, but no earlier than the first.
    public var effectiveEndDay: Day? { endDay.map { max($0, startDay ?? $0) } }

    /// The id of the attachment that apps show for the trip.
    public var cover: UUID? {
        get { rare.cover }
        set { rare.cover = newValue }
    }

    /// The colour in which apps show the trip: `#RRGGBB`, or a name of the app's. Kept as written.
    public var color: String {
        get { rare.color }
        set { rare.color = newValue }
    }

    /// The rank of the trip in an order that people make by hand; nil until they do. See `TripStore.arrange(_:by:)`.
    public var rank: Rank? {
        get { rare.rank }
        set { rare.rank = newValue }
    }

    public var links: [Link] {
        get { self[OwnList(.links)] }
        set { self[OwnList(.links)] = newValue }
    }
}

/// The values that few trips have.
struct RareTripValues: RareValues {
    static let blank = RareTripValues()

    var cover: UUID?
    var color = ""
    var rank: Rank?
}

extension Trip {
    /// The numbers are those of the log: 2 is the field of what an entity belongs to, in every kind.
    static let builtInSchema = Schema<Trip>(
        .trip, "trip", EntityReader { id, record throws(WireError) in try Trip(id: Identifier(id), record: record) },
        spans: [(\.startDay, \.endDay)], unlisted: EntitySchema.Field.isTemplate.number,
        [
            Field(builtIn: 1, "name", \.name, .name, search: .name, help: .common("The name.")),
            Field(builtIn: 8, "destination", \.destination, search: .place, help: .common("Where the trip goes.")),
            Field(builtIn: 3, "notes", \.notes, search: .notes, help: .common("Notes.")),
            Field(builtIn: 4, "startDate", \.startDay, help: .common("The first day, as 2027-05-01.")),
            Field(builtIn: 5, "endDate", \.endDay, help: .common("The last day.")),
            Field(builtIn: 11, "stage", \.stage, help: "How far the plan has come."),
            Field(
                builtIn: 6, "isProtected", \.isProtected,
                help: .about(.more, "Whether apps ask before they show or change the trip.")),
            Field(builtIn: 7, "originalCreation", \.originalCreation),
            Field(builtIn: 9, "archivedAt", \.archivedAt, help: .about(.more, "When it was archived, in UTC.")),
            Field(builtIn: 10, "status", \.status, help: .about(.more, "Whether all of it is there.")),
            Field(
                builtIn: 12, "cover", \.cover, in: \.rare, \.cover,
                help: .about(.files, "The id of the attachment that apps show for it.")),
            Field(
                builtIn: 13, "color", \.color, in: \.rare, \.color,
                help: .about(.more, "The colour in which apps show it, as #2A6F97.")),
            Field(builtIn: 14, "rank", \.rank, in: \.rare, \.rank),
            .added(.links, as: [\.links]), .added(.travellers, as: [\.travellers]), .added(.isTemplate),
        ])

    /// Compiled for the kind.
    package init(id: ID, record: borrowing RecordView) throws(WireError) {
        self.init(blank: id)
        try read(record)
    }
}

/// A trip as views store it beside their keys: what its value consists of and no more, so that content unknown to this
/// version does not change the rows. Fields of apps are part of the value, whether their app is here or not.
///
/// Creation and newest write (timestamps of 8 bytes, zero if there is none), then the registers of the fields that are set, and of apps'
/// cleared ones, as a record has them, but for the index of the write: only apps' fields of one value have it.
extension Trip {
    /// Throws `WireError` if the record cannot be read.
    package static func filed(_ record: borrowing RecordView) throws(WireError) -> [UInt8] {
        var writer = WireWriter(reservingCapacity: record.registerSize + 32)
        for time in [try record.creationTimestamp(), try record.newestTimestamp()] {
            writer.raw((time ?? .zero).rawValue.bigEndianBytes)
        }
        let schema = schema.erased
        var registers = record.registers
        while let register = try registers.next() {
            let isOwnValue = register.isOwn && register.key.isEmpty
            guard register.isOwn || register.key.isEmpty && schema.rules(register.field) != nil,
                isOwnValue || register.value != nil
            else { continue }
            writer.rawVarint(register.field)
            writer.rawVarint(UInt64(register.key.count))
            writer.raw(register.key)
            writer.rawVarint(isOwnValue ? UInt64(register.order) : 0)
            writer.rawVarint(register.value.map { UInt64($0.count) + 1 } ?? 0)
            if let value = register.value { writer.raw(value) }
        }
        return writer.finish()
    }

    /// From the bytes that `filed` made. Throws `WireError` for others.
    package init(id: ID, filed bytes: UnsafeRawBufferPointer) throws(WireError) {
        self.init(id: id)
        guard bytes.count >= 16 else { throw WireError("a trip has 16 bytes or more, not \(bytes.count)") }
        try read(RecordView.Registers(bytes.part(from: 16)))
        setTimes(
            created: Self.date(bytes.bigEndian(UInt64.self)), updated: Self.date(bytes.bigEndian(UInt64.self, at: 8)))
    }

    private static func date(_ timestamp: UInt64) -> Date? {
        timestamp == 0 ? nil : Timestamp(rawValue: timestamp).date
    }
}
