import ArgumentParser
import Foundation
import TripStore

/// A moment of the log on the command line: a position of this log, a time, a day in UTC, or `now`.
///
/// As an end, of `--as-of`, `--until` and `diff`, a position and a time are included, and a day is all of it.
struct HorizonArgument {
    /// What is said of such arguments in the help.
    static let help =
        "A position of this log, a time (ISO 8601, or 'fri 20:05'; in UTC where it has no offset), a day (all of it, in UTC), or 'now'. A time is about when commits were "
        + "written, here or elsewhere."

    /// The last time that a timestamp can bear.
    fileprivate static let lastDate = Date(milliseconds: 1 << 47 - 1)

    /// As it was typed.
    let text: String
    let horizon: Horizon

    /// Throws for what is none of them, and for days that may be two.
    init(parsing argument: String) throws {
        text = argument
        if let position = Position(digits: argument) {
            horizon = .position(position)
        } else if argument == "now" {
            horizon = .date(Self.lastDate)
        } else {
            horizon = .date(try InstantArgument(parsing: argument, isPast: true).last)
        }
    }

    /// The position or the time, for messages.
    var words: String {
        if case .position(let position) = horizon { "position \(position)" } else { text }
    }

    fileprivate var date: Date? {
        guard case .instant(let time) = horizon else { return nil }
        return time.date
    }

    fileprivate var position: Position? {
        guard case .position(let position) = horizon else { return nil }
        return position
    }
}

/// From where on, on the command line: after a position of this log, or from a time or the beginning of a day in UTC on.
struct SinceArgument {
    static let help =
        "Only what came after this position of the log, or was written from this time (ISO 8601, or 'fri 20:05'; in UTC where it has no offset), "
        + "or from this day in UTC, on; or 'now'."

    let text: String
    fileprivate let position: Position?
    fileprivate let date: Date?

    /// Throws for what is none of them, and for days that may be two.
    init(parsing argument: String) throws {
        text = argument
        position = Position(digits: argument)
        if argument == "now" {
            date = HorizonArgument.lastDate
        } else {
            date = position == nil ? try InstantArgument(parsing: argument, isPast: true).first : nil
        }
    }

    /// The position or the time, for people.
    var words: String { position.map { "position \($0)" } ?? (text == "now" ? text : date?.utcText ?? text) }

    /// The position after which everything came here that was written from then on; positions of this log stay as they are.
    func position(in store: TripStore) throws -> Position {
        if let position { return position }
        if text == "now" { return try store.status().position }
        guard let first = try store.audit(AuditFilter(since: date), limit: 1).first?.position else {
            return try store.status().position
        }
        return Position(first.rawValue - 1)
    }
}

/// A part of the log: between two moments, both of which may be open.
struct LogRange {
    let since: SinceArgument?
    let until: HorizonArgument?

    /// Of the times; positions are bounds of their own.
    func restrict(_ filter: inout AuditFilter) {
        filter.since = since?.date
        filter.until = until?.date
    }

    /// The position after which commits count.
    var start: Position { since?.position ?? .start }
    /// The last position that counts; nil for the newest.
    var end: Position? { until?.position }

    /// In words; empty if it is the whole log.
    var words: [String] {
        [
            since.map { $0.position == nil ? "commits from \($0.words) on" : "commits after \($0.words)" },
            until.map { "commits up to \($0.date?.utcText ?? $0.words)" },
        ].compactMap { $0 }
    }
}

extension Position {
    /// From digits alone; nil for anything else.
    fileprivate init?(digits: String) {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt64(digits)
        else { return nil }
        self.init(number)
    }
}

/// The option to query a past state.
struct AsOfOption: ParsableArguments {
    @Option(name: .long, help: "As it was then. \(HorizonArgument.help)", transform: HorizonArgument.init(parsing:))
    var asOf: HorizonArgument?

    /// The whole store as it was, built from the log; nil for the present.
    func past(of store: TripStore) async throws -> PastStore? {
        guard let asOf else { return nil }
        return try await LongWork.run(standing: "Nothing was written.") {
            try await store.asOf(asOf.horizon, progress: StoreOptions.progress(of: $0))
        }
    }
}
