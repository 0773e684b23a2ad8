import ArgumentParser
import Foundation
import TripStore

/// How much of the log counts, on the command line: a position, or a time, which is included.
struct HorizonArgument: ExpressibleByArgument {
    /// As it was typed.
    let text: String
    let horizon: Horizon

    init?(argument: String) {
        if !argument.isEmpty, argument.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            guard let position = UInt64(argument) else { return nil }
            horizon = .position(Position(position))
        } else {
            guard let instant = InstantArgument(argument: argument) else { return nil }
            horizon = .date(instant.last)
        }
        text = argument
    }

    /// The position or the time, for messages.
    var words: String {
        if case .position(let position) = horizon { "position \(position)" } else { text }
    }
}

/// A look at the past.
struct AsOfOption: ParsableArguments {
    @Option(
        name: .long,
        help: """
            As it was at a position of this log, or at a time: ISO 8601 with an offset, or a day, which is all of it in \
            UTC. A time is about when commits were written, here or elsewhere.
            """)
    var asOf: HorizonArgument?

    /// The whole store as it was, built from the log; nil if it is the present that is asked for.
    func past(of store: TripStore) async throws -> PastStore? {
        guard let asOf else { return nil }
        defer { Console.current.progress?("") }
        return try await store.asOf(asOf.horizon, progress: StoreOptions.progress)
    }
}
