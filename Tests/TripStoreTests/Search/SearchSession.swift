import Events
import StoreSupport
import TestSupport
import Trips

@testable import TripStore

/// Writes random texts in twelve scripts into a store, changes, deletes and restores what is there, and asks random questions.
struct SearchSession {
    let store: TripStore
    var random: SeededGenerator
    private var trips: [Trip.ID] = []
    private var items: [TripItem.ID] = []

    init(_ store: TripStore, seed: UInt64) {
        self.store = store
        random = SeededGenerator(seed: seed)
    }

    /// Latin with marks, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai, Chinese, Japanese, Korean, Georgian, Armenian. Some begin others.
    private static let words = [
        "Lisbon", "Lis", "lisboa", "Tram", "tramway", "Évora", "evora", "São", "Jorge", "Museum", "muse", "28", "280",
        "TP-551",
        "O'Hare", "Straße", "Αθήνα", "Αθ", "μουσείο", "Μουσείος", "Москва", "Моск", "вокзал", "תל־אביב", "ירושלים",
        "ירו",
        "القاهرة", "القا", "متحف", "दिल्ली", "दिल", "मुंबई", "กรุงเทพ", "วัดพระแก้ว", "วัด", "กรุง", "東京", "東京都", "京都", "博物館",
        "北京故宫", "故宫", "京", "ひらがな", "カタカナ", "ガイド", "がいど", "東京タワー", "서울", "서울역", "부산", "ბათუმი", "თბილისი", "თბ", "Երևան",
        "Գյումրի", "Եր", "a", "b", "ab",
    ]

    private mutating func word() -> String { Self.words.randomElement(using: &random) ?? "" }

    private mutating func text(_ most: Int) -> String {
        let signs = [" ", " ", " ", ", ", "-", "\n", "、", ""]
        return (0..<Int.random(in: 0...most, using: &random)).reduce("") { text, _ in
            text + word() + (signs.randomElement(using: &random) ?? " ")
        }
    }

    private mutating func trip() -> Trip.ID { trips.randomElement(using: &random) ?? .new() }

    mutating func step() async throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1:
            var trip = Trip(name: word(), destination: text(2), notes: text(8))
            if Bool.random(using: &random) { trip[Trip.hashtags] = [word(), word()] }
            trips.append(try await store.create(trip))
        case 2...5 where !trips.isEmpty: try await addItem()
        case 6:
            try await store.create(Organization(name: word(), email: "\(word())@example.org"))
            let traveller = try await store.create(Traveller(name: word(), notes: text(3)))
            let travelling = trip()
            try await Self.trying { try await store.edit(travelling) { $0.travellers.insert(traveller) } }
        case 7 where !trips.isEmpty: try await Self.trying { try await store.create(Souvenir(word(), in: trip())) }
        case 8 where !trips.isEmpty:
            let (id, name, notes) = (trip(), word(), text(6))
            try await Self.trying {
                try await store.edit(id) {
                    $0.name = name
                    $0.notes = notes
                }
            }
        case 9 where !trips.isEmpty:
            let id = trip()
            try await Self.trying { try await store.delete(id) }
        case 10 where !trips.isEmpty:
            let id = trip()
            try await Self.trying { try await store.restore(id) }
        case 11:
            guard let id = items.randomElement(using: &random) else { return }
            let (name, target) = (word(), trip())
            if case .activity(let id) = id {
                try await Self.trying { try await store.edit(id) { $0.name = name } }
                try await Self.trying { try await store.commit { $0.move(id, to: target) } }
            } else if case .transportation(let id) = id {
                try await Self.trying { try await store.delete(id) }
            }
        default: return
        }
    }

    private mutating func addItem() async throws {
        let id = trip()
        if Bool.random(using: &random) {
            var item = Activity(name: word(), in: id, reservation: word(), notes: text(10), customLocationName: text(2))
            item.category = word()
            let made = item
            try await Self.trying { items.append(.activity(try await store.create(made))) }
        } else {
            var item = Transportation(name: word(), mode: .train, in: id, address: Address(city: word()))
            (item.carrier, item.number, item.departure.name) = (word(), word(), word())
            let made = item
            try await Self.trying { items.append(.transportation(try await store.create(made))) }
        }
    }

    /// Steps on what is deleted are refused.
    private static func trying(_ body: () async throws -> Void) async throws {
        do { try await body() } catch is TripStoreError {} catch is ValidationError {}
    }

    /// Words, beginnings of words, and phrases; some with a sign in them, and some that are not closed.
    mutating func question() -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let first = word()
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return "\"\(first) \(word())\""
            case 1: return "\"\(first)\""
            case 2: return String(first.prefix(Int.random(in: 1...3, using: &random)))
            case 3: return first.uppercased()
            case 4: return "\(first)-\(word())"
            default: return first
            }
        }.joined(separator: " ") + (Int.random(in: 0..<8, using: &random) == 0 ? " \"\(word())" : "")
    }
}
