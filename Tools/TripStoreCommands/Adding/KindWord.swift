import ArgumentParser
import TripFormats
import TripStore

/// A word by which people name a kind of items and, of a journey, its mode, as in `add flight`: the name of the type in small letters. Imports
/// know most of these words too, and say which mode each one means.
protocol KindWord {
    associatedtype Entity: ItemEntity
}

protocol JourneyWord: KindWord where Entity == Transportation {}
protocol StayWord: KindWord where Entity == Lodging {}

enum Flight: JourneyWord {}
enum Train: JourneyWord {}
enum Bus: JourneyWord {}
enum Ferry: JourneyWord {}
enum Car: JourneyWord {}
enum Taxi: JourneyWord {}
enum Hotel: StayWord {}
enum Apartment: StayWord {}

enum ItemWords {
    static var all: [any KindWord.Type] {
        [Flight.self, Train.self, Bus.self, Ferry.self, Car.self, Taxi.self, Hotel.self, Apartment.self]
    }

    /// The word of the same meaning in English, of one of a language that imports know; nil if none is offered.
    static func offered(for word: String) -> String? {
        switch KindWords.meaning(of: KindWords.folded(word)) {
        case .travel(let mode)?: all.first { $0.mode == "\(mode)" }?.word
        case .stay?: all.first { $0.mode == nil }?.word
        case .activity?: Activity.kindName
        case nil: nil
        }
    }
}

extension KindWord {
    static var word: String { "\(Self.self)".lowercased() }

    /// The mode of a journey, as an option has it; nil of a stay.
    static var mode: String? {
        guard Entity.self == Transportation.self else { return nil }
        if case .travel(let mode)? = KindWords.meaning(of: word) { return "\(mode)" }
        return word
    }
}

/// Creates an item of the kind that a word says.
struct AddAs<Word: KindWord>: AsyncParsableCommand, FieldCommand {
    static var fieldOptions: [FieldOption] { FieldOptions<Only<Word.Entity>>.options }

    static var configuration: CommandConfiguration {
        let article = "aeiou".contains(Word.word.prefix(1)) ? "an" : "a"
        let kind = Word.mode.map { "of the mode \($0)" } ?? "\(Word.Entity.article) \(Word.Entity.kindName)"
        return CommandConfiguration(
            commandName: Word.word, abstract: "Create \(article) \(Word.word), \(kind); prints its id.",
            discussion: "Example:\n" + example)
    }

    private static var example: String {
        switch Word.mode {
        case nil:
            """
              tripstore add \(Word.word) 'By the river' --trip Lisbon --from 3 may --nights 2
            """
        case "plane":
            """
              tripstore add \(Word.word) 'LH400 FRA-JFK' --trip 'New York' \\
                --departure 3 may 10:05 --arrival 12:30
            """
        default:
            """
              tripstore add \(Word.word) 'To Porto' --trip Lisbon --departure 5 may 9:39 \\
                --departure-name Lisboa --arrival 12:35 --arrival-name Porto
            """
        }
    }

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @OptionGroup var name: NameArgument
    @OptionGroup var fields: FieldOptions<Only<Word.Entity>>
    @OptionGroup(visibility: HelpPage.rare) var ownFields: OwnFieldOptions

    func validate() throws { try name.check(beside: fields) }

    func run() async throws {
        let isBare = name.name == nil && fields.areNone
        var fields = name.named(fields)
        if let mode = Word.mode, fields.texts["mode"] == nil { fields.set("mode", to: mode) }
        try await Adding(options: options, author: author, ownFields: ownFields).add(fields, isBare: isBare)
    }
}
