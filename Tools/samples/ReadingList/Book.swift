import TripStore

// begin AnotherDomain-kinds
struct Book: OwnEntity {
    let id: Identifier<Book>
    var title = ""
    var author = ""
    var rating: Int?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ title: String, by author: String) {
        self.init(id: .new())
        self.title = title
        self.author = author
    }

    static let schema = Schema<Book>(
        "org.example.reading", 1, "book",
        [
            Field(1, "title", \.title, isRequired: true, isSearched: true),
            Field(3, "author", \.author, isSearched: true),
            Field(4, "rating", \.rating) { 1...5 ~= $0 },
        ])

    static let labels = OwnSet<Book, String>("org.example.reading", 1, "labels")
}

struct Note: OwnEntity {
    let id: Identifier<Note>
    var text = ""
    var book: Book.ID?
    var page: Int?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ text: String, in book: Book.ID, page: Int? = nil) {
        self.init(id: .new())
        self.text = text
        self.book = book
        self.page = page
    }

    static let schema = Schema<Note>(
        "org.example.reading", 2, "note",
        [
            Field(1, "text", \.text, isRequired: true, isSearched: true),
            .parent("book", \.book, whenDeleted: .cascade),
            Field(3, "page", \.page),
        ])
}

let readingList: [any SchemaPart] = [Book.schema, Book.labels, Note.schema]
// end
