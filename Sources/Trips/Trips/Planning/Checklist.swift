/// A list of a trip that people check off: what to pack, what to do.
public struct Checklist: OwnEntity, Ranked, BuiltInEntity {
    public let id: Identifier<Checklist>
    public var name = ""
    public var trip: Trip.ID?
    /// The purpose of the list, as "packing", "to do" or another text; nil if it names none.
    public var purpose: String?
    /// The rank that people gave the list among those of the trip; nil sorts after these, in the order of creation.
    public var rank: Rank?
    public var notes = ""
    var state = StoredState()

    init(blank id: ID) { self.id = id }

    public init(id: ID = .new(), name: String, in trip: Trip.ID, for purpose: String? = nil, notes: String = "") {
        self.id = id
        self.name = name
        self.trip = trip
        self.purpose = purpose
        self.notes = notes
    }

    static let builtInSchema = Schema<Checklist>(
        store: 3, "checklist",
        [
            Field(1, "name", \.name, isRequired: true).help(.common("The name."), search: .name),
            .parent("trip", \.trip).help(.common("The trip.")),
            Field(3, "purpose", \.purpose).help(
                "What the list is for: 'packing', 'to do', or another text.", search: .tag),
            Field(4, "rank", \.rank),
            Field(5, "notes", \.notes).help(.common("Notes."), search: .notes),
        ])
}

/// A line of a checklist: done or not, by whom, and until when.
public struct ChecklistEntry: OwnEntity, Ranked, BuiltInEntity {
    public let id: Identifier<ChecklistEntry>
    public var name = ""
    public var list: Checklist.ID?
    public var isDone = false
    /// The traveller who does the entry's task; nil while that traveller is deleted.
    public var assignee: Traveller.ID?
    /// The day until which it is to be done.
    public var dueDay: Day?
    /// The rank that people gave the entry in its list; nil sorts after these, in the order of creation.
    public var rank: Rank?
    public var notes = ""
    var state = StoredState()

    init(blank id: ID) { self.id = id }

    public init(
        id: ID = .new(), _ name: String, in list: Checklist.ID, by assignee: Traveller.ID? = nil,
        until dueDay: Day? = nil, notes: String = ""
    ) {
        self.id = id
        self.name = name
        self.list = list
        self.assignee = assignee
        self.dueDay = dueDay
        self.notes = notes
    }

    static let builtInSchema = Schema<ChecklistEntry>(
        store: 4, "entry",
        [
            Field(1, "name", \.name, isRequired: true).help(.common("The name."), search: .name),
            .parent("list", \.list).help("The checklist that the entry belongs to."),
            Field(3, "isDone", \.isDone).help("Whether it is done."),
            Field(4, "assignee", \.assignee, isNullified: true)
                .help(.about(.people, "The traveller who does it.")),
            Field(5, "dueDay", \.dueDay).help("The day until which it is to be done."),
            Field(6, "rank", \.rank),
            Field(7, "notes", \.notes).help(.common("Notes."), search: .notes),
        ])
}
