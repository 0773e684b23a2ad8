public import ArgumentParser
public import Foundation
public import TripFormats
public import TripStore

/// Parses an argument, and says all that a refusal says: of an error with several texts the argument parser prints the first alone.
func statingAll<T>(_ parse: () throws -> T) throws -> T {
    do { return try parse() } catch { throw ArgumentParser.ValidationError("\(error)") }
}

extension Day: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
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

/// A moment on the command line: ISO 8601, in UTC where it has no offset, or a whole day in UTC.
struct InstantArgument: ExpressibleByArgument {
    /// The first instant that it covers.
    let first: Date
    /// The last instant that it covers, to the millisecond.
    let last: Date

    init?(argument: String) {
        let isDay = Day(argument) != nil
        guard let moment = try? Moment(parsing: isDay ? argument + "T00:00:00Z" : argument, in: "UTC") else {
            return nil
        }
        first = moment.date
        last = isDay ? first.addingTimeInterval(86_399.999) : first
    }
}
