import ArgumentParser
import Events
import Foundation
import TripStore

struct AgendaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agenda", abstract: "Show what happens on a day or on several.",
        discussion: """
            Days are those of the place where one is, and times are of its clocks: those where a journey arrived or a stay began last. An item on \
            several days is on each of them; the last day of a stay is that of leaving. Without days it is today, and with --trip the whole trip. Below is what cannot work: overlaps, nights without a bed, \
            connections that are missed, and items outside of their trip's days.

            Examples:
              tripstore agenda
              tripstore agenda 2027-05-03
              tripstore agenda fri..sun
              tripstore agenda 30 dec..2 jan --trip Lisbon
              tripstore agenda 2027-05 --findings
              tripstore agenda tomorrow --json
              tripstore agenda --trip Lisbon --csv
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var past: AsOfOption
    @OptionGroup var table: TableOption

    @Argument(
        help:
            "A day, as 2027-05-01, '3 may', fri or today, a range, as fri..sun or 2027-05-01..2027-05-08, a month, as 2027-05, or a year.",
        transform: { text in try statingAll { try AgendaDays(parsing: text) } })
    var days: AgendaDays?

    @Option(name: .long, help: "Only this trip. \(EntityArgument.help)")
    var trip: EntityArgument?

    @Flag(name: .long, help: "List only what cannot work.")
    var findings = false

    func validate() throws { try table.check(with: options) }

    func run() async throws {
        let store = try await options.openForReading()
        let source: any TripQuerying = try await past.past(of: store) ?? store
        let trip = try trip.map { try source.present(store.trip($0), past) }
        let agenda = try agenda(of: trip, source)
        let names = AgendaNames(try agenda.trips(in: source), isOfOneTrip: trip != nil)
        if table.csv {
            (findings ? AgendaTable.findings(agenda, names) : AgendaTable.entries(agenda, names)).print(
                table.form)
        } else if options.json {
            let lines =
                findings
                ? agenda.findings.map { AgendaJSON.finding($0, names) }
                : agenda.days.map { AgendaJSON.day($0, names) }
            for line in lines { Console.current.out(line.text) }
        } else {
            Console.current.show(AgendaText(agenda: agenda, names: names, hasFindingsOnly: findings).lines)
        }
    }

    private func agenda(of trip: Trip.ID?, _ source: any TripQuerying) throws -> Agenda {
        guard let trip else { return try source.agenda((days ?? .today).days()) }
        return try days.map { try source.agenda($0.days(), of: trip) } ?? source.agenda(of: trip)
    }
}

/// The option to print a table for spreadsheets.
struct TableOption: ParsableArguments {
    @Flag(name: .long, help: "Print CSV (RFC 4180) with a header, for spreadsheets.")
    var csv = false

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "With --csv, leave texts as they are that a spreadsheet takes for formulas.", visibility: HelpPage.rare))
    var raw = false

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "With --csv, begin with a byte order mark, without which Excel does not take the file for UTF-8.",
            visibility: HelpPage.rare))
    var bom = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            With --csv, what stands between cells: comma, semicolon, tab, or another sign. Excel expects a semicolon where fractions have a \
            comma.
            """, visibility: HelpPage.rare))
    var delimiter: Delimiter?

    /// The sign between the cells of a table.
    struct Delimiter: ExpressibleByArgument {
        let sign: Character

        init?(argument: String) {
            let names: [String: Character] = ["comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t"]
            guard let sign = names[argument] ?? (argument.count == 1 ? argument.first : nil), sign.isASCII,
                !sign.isLetter, !sign.isNumber, !"\"'\r\n.-+ ".contains(sign)
            else { return nil }
            self.sign = sign
        }
    }

    var form: CSVTable.Form { CSVTable.Form(isRaw: raw, hasMark: bom, delimiter: delimiter?.sign ?? ",") }

    func check(with options: StoreOptions) throws {
        let given = GivenOptions([("--raw", raw), ("--bom", bom), ("--delimiter", delimiter != nil)])
        if !given.names.isEmpty && !csv {
            let them = given.names.count.agreeing("it", "them")
            throw ValidationError("\(given.agreeing("goes", "go")) with --csv. Leave \(them) out, or add that.")
        }
        if csv && options.json { throw ValidationError("--csv and --json exclude each other: leave one of them out.") }
    }
}

extension TripQuerying {
    /// The id of a trip that is there; throws if it is not, or was not.
    func present(_ trip: Trip.ID, _ past: AsOfOption) throws -> Trip.ID {
        if try self.trip(trip) != nil { return trip }
        guard let asOf = past.asOf else {
            throw TripStoreError(
                .deleted, "The trip \(trip) is not there. Restore it with 'tripstore restore \(trip)'.",
                entity: trip.reference)
        }
        throw TripStoreError(
            .unknownEntity, "The trip \(trip) was not there as of \(asOf.words). Ask for a later moment.",
            entity: trip.reference)
    }
}

/// The names of the trips of an agenda.
struct AgendaNames {
    private let names: [Trip.ID: String]
    /// Whether all is of one trip, which need not be named each time.
    let isOfOneTrip: Bool

    init(_ names: [Trip.ID: String], isOfOneTrip: Bool) { (self.names, self.isOfOneTrip) = (names, isOfOneTrip) }

    subscript(trip: Trip.ID?) -> String? { trip.flatMap { names[$0] } }
}

extension Agenda {
    /// The names of the trips that have something in it.
    func trips(in source: any TripQuerying) throws -> [Trip.ID: String] {
        var names: [Trip.ID: String] = [:]
        for trip in Set(entries.compactMap(\.trip) + findings.map(\.trip)) {
            names[trip] = try source.trip(trip)?.name
        }
        return names
    }
}

/// The days of an agenda on the command line.
enum AgendaDays {
    case today, tomorrow
    case range(ClosedRange<Day>)

    /// Throws `ValidationError` for what is no day and no range.
    init(parsing text: String) throws {
        switch text {
        case "today": self = .today
        case "tomorrow": self = .tomorrow
        default:
            let ends = text.components(separatedBy: "..").map { $0.trimmingCharacters(in: .whitespaces) }
            guard ends.count <= 2 else {
                throw ArgumentParser.ValidationError(
                    "'\(text.prefix(60))' is no range of days. Write its first and its last day.")
            }
            let first = try Self.days(ends[0], from: nil)
            guard ends.count == 2 else {
                self = .range(first)
                return
            }
            // Distances at both ends count from today, as in +1w..+2w.
            let areDistances = ends.allSatisfy { $0.hasPrefix("+") || $0.hasPrefix("-") }
            let last = try Self.days(ends[1], from: areDistances ? nil : first.lowerBound)
            self = .range(try ClosedRange(parsing: "\(first.lowerBound)..\(last.upperBound)"))
        }
    }

    /// The days of one end of a range, the last of which is on or after its first.
    private static func days(_ text: String, from first: Day?) throws -> ClosedRange<Day> {
        // Beginning with a year, it is all in digits.
        if text.prefix(4).allSatisfy(\.isNumber) { return try ClosedRange(parsing: text) }
        let day = try Day.written(text, from: first)
        return day...day
    }

    /// The days; those named by words in the zone of the configuration, or else of the device.
    func days() throws -> ClosedRange<Day> {
        if case .range(let days) = self { return days }
        let today = Day(Console.current.now(), in: try Configuration.zone())
        let day = if case .tomorrow = self { today.advanced(by: 1) } else { today }
        return day...day
    }
}
