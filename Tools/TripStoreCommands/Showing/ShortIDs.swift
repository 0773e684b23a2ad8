import Foundation
import TripStore

/// Ids of entities by the digits that it takes to name them, as `git` shortens its own.
enum ShortIDs {
    /// The least digits of one: fewer may be unique today, and not when the store has grown.
    static let least = 7
    /// The digits of the time with which new ids begin, to the millisecond: those of one minute share most of them. As of another moment
    /// there may be fewer entities than now, and all have as many.
    private static let ofTime = 12

    /// On a terminal the shortest beginnings that no other entity of the store has; elsewhere whole ids, for programs read them there.
    static func shown(_ ids: [UUID], in source: any TripQuerying) throws -> [String] {
        guard Console.current.layout.columns != nil else { return ids.map(\.uuidString) }
        let least = source is TripStore ? least : ofTime
        return try source.read { views in try ids.map { try text(of: $0, in: views, atLeast: least) } }
    }

    /// The shortest beginning of an id that no other entity has, with the hyphens of the id.
    static func text(of id: UUID, in views: borrowing TripViews, atLeast least: Int = least) throws -> String {
        let least = id.uuidString.dropFirst(14).first == "7" ? max(least, ofTime) : least
        var left = try views.distinctDigits(of: id, atLeast: least)
        let beginning = id.uuidString.prefix { character in
            if character != "-" { left -= 1 }
            return left >= 0
        }
        return String(beginning.last == "-" ? beginning.dropLast() : beginning)
    }
}
