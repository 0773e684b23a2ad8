public import ArgumentParser
public import Foundation
public import TripFormats
public import TripStore

/// Parses an argument, and says all that a refusal says: of an error with several texts the argument parser prints the first alone.
func statingAll<T>(_ parse: () throws -> T) throws -> T {
    do { return try parse() } catch { throw ArgumentParser.ValidationError("\(error)") }
}

extension Currency: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension PageCursor: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension Position: ExpressibleByArgument {}

extension Compression: ExpressibleByArgument {}

extension MemberRole: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
    public static var allValueStrings: [String] { allCases.map { "\($0)" } }
}

extension TripStore.ConflictSide: ExpressibleByArgument {
    public init?(argument: String) {
        guard let side = Self.allCases.first(where: { "\($0)" == argument }) else { return nil }
        self = side
    }

    public static var allValueStrings: [String] { allCases.map { "\($0)" } }
}

extension ImportOptions.Format: ExpressibleByArgument {}

extension ReplicaID: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension JournalID: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

// The argument parser leaves UUID out; should it ever conform there, this is to be removed.
// swift-format-ignore: AvoidRetroactiveConformances
extension UUID: @retroactive ExpressibleByArgument {
    public init?(argument: String) { self.init(uuidString: argument) }
}

extension EntityKind: ExpressibleByArgument {
    public init?(argument: String) {
        if argument == "own" { self = .own } else { self.init(name: argument) }
    }

    public static var allValueStrings: [String] { known.compactMap(\.name) + ["own"] }
}

/// A moment on the command line: ISO 8601, in UTC where it has no offset, or a whole day in UTC; or both as people write them.
struct InstantArgument {
    /// The first instant that it covers.
    let first: Date
    /// The last instant that it covers, to the millisecond.
    let last: Date

    /// - Parameter isPast: whether a day without a year, or a weekday, is the last one and not the next.
    init(parsing text: String, isPast: Bool) throws {
        var moment = try? Moment(parsing: text, in: "UTC")
        var isDay = false
        if moment == nil {
            let context = WhenContext(today: Day(Console.current.now(), in: .gmt), isPast: isPast)
            let (day, time) = try context.meaning(of: text)
            isDay = time == nil
            moment = try Moment(parsing: "\(day)T\(time ?? "00:00")", in: "UTC")
        }
        first = moment?.date ?? .distantPast
        last = isDay ? first.addingTimeInterval(86_399.999) : first
    }
}
