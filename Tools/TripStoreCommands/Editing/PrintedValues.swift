import Foundation
import TripStore

/// An amount as JSON prints it.
struct PrintedMoney: Decodable {
    let currency: String
    let minor: Int64

    /// Nil if the text is no JSON object.
    init?(json text: String) throws {
        guard let found = try Self.decoded(text, as: #"{"currency":"EUR","minor":1234}"#) else { return nil }
        self = found
    }
}

/// A moment as JSON prints it.
struct PrintedMoment: Decodable {
    let time: String
    let zone: String

    /// Nil if the text is no JSON object.
    init?(json text: String) throws {
        let sample = #"{"time":"2027-05-01T10:00:00+01:00","zone":"Europe/Lisbon"}"#
        guard let found = try Self.decoded(text, as: sample) else { return nil }
        self = found
    }
}

/// A link as JSON prints it.
struct PrintedLink: Decodable {
    let url: String
    let title: String?

    /// Nil if the text is no JSON object.
    init?(json text: String) throws {
        let sample = #"{"url":"https://example.org","title":"Menu"}"#
        guard let found = try Self.decoded(text, as: sample) else { return nil }
        self = found
    }
}

/// A contact as JSON prints it.
struct PrintedContact: Decodable {
    let name: String?
    let phone: String?
    let email: String?
    let role: String?

    /// Nil if the text is no JSON object.
    init?(json text: String) throws {
        let sample = #"{"name":"Ana","phone":"+351 210 000 000","email":"ana@example.org","role":"reception"}"#
        guard let found = try Self.decoded(text, as: sample) else { return nil }
        self = found
    }

    var contact: Contact { Contact(name: name ?? "", phone: phone ?? "", email: email ?? "", role: role ?? "") }
}

extension Decodable {
    fileprivate static func decoded(_ text: String, as sample: String) throws -> Self? {
        guard text.hasPrefix("{") else { return nil }
        do { return try JSONDecoder().decode(Self.self, from: Data(text.utf8)) } catch {
            throw CommandError("'\(text)' is not what JSON prints. That is like \(sample).")
        }
    }
}
