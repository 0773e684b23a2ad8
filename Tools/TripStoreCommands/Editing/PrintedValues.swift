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

extension Decodable {
    fileprivate static func decoded(_ text: String, as sample: String) throws -> Self? {
        guard text.hasPrefix("{") else { return nil }
        do { return try JSONDecoder().decode(Self.self, from: Data(text.utf8)) } catch {
            throw CommandError("'\(text)' is not what JSON prints. That is like \(sample).")
        }
    }
}
