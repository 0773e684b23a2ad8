/// A person who travels, or pays: trips and items name travellers by their ids.
///
/// While a traveller is deleted, references to it read as nil, and sets, parts and amounts as without it. The log keeps them: a restored
/// traveller is back everywhere.
public struct Traveller: OwnEntity, BuiltInEntity {
    public let id: Identifier<Traveller>
    public var name = ""
    public var email = ""
    public var phone = ""
    /// How apps colour the traveller, as in "#2F6FDE"; empty if they choose.
    public var color = ""
    public var notes = ""
    var state = StoredState()

    init(blank id: ID) { self.id = id }

    public init(
        id: ID = .new(), name: String, email: String = "", phone: String = "", color: String = "", notes: String = ""
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.phone = phone
        self.color = color
        self.notes = notes
    }

    static let builtInSchema = Schema<Traveller>(
        store: 1, "traveller",
        [
            Field(1, "name", \.name, isRequired: true).help(.common("The name."), search: .name),
            Field(3, "email", \.email).help("The address for mail.", search: .contact),
            Field(4, "phone", \.phone).help("The telephone number.", search: .contact),
            Field(5, "color", \.color).help(
                .about(.more, "How apps colour the traveller, as #2F6FDE.")),
            Field(6, "notes", \.notes).help(.common("Notes."), search: .notes),
        ])
}
