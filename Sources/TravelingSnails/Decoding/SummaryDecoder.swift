import Foundation

/// Reads a whole export, checks everything and keeps what stands outside the trips.
struct SummaryDecoder {
    private var info: InfoDecoder?
    private var organizations: [ExportedOrganization] = []
    private var addresses: [ExportedAddress] = []
    private var attachmentCount = 0
    private var attachments: Mark?
    private var trips: TripCount?
    /// By key of the root, so that a repeated key replaces its earlier problems.
    private var problems: [ExportKey: [ExportProblem]] = [:]
    private var faults = Faults()

    /// The trips of the file as the first pass found them.
    private struct TripCount {
        var list: Mark
        var trips = 0
        var items = 0
    }

    /// Reads the root object, which has just been entered, up to its end.
    mutating func read(_ reader: inout JSONReader) throws(ExportError) {
        while let key = try reader.nextKey() {
            switch key {
            case .exportInfo: info = try InfoDecoder.decode(&reader)
            case .trips: try readTrips(&reader)
            case .organizations: try readOrganizations(&reader)
            case .addresses: try readAddresses(&reader)
            case .attachments: try countAttachments(&reader)
            default: try reader.skipValue()
            }
        }
    }

    /// The result, and where the list of trips begins; throws if the file is no such export.
    /// - Parameter repetitions: those that the reader found.
    func finish(
        _ repetitions: [ExportProblem]
    ) throws(ExportError) -> (ExportSummary, trips: Mark, attachments: Mark?) {
        guard let info else { throw SummaryDecoder.notAnExport("it has no object `exportInfo`") }
        let checked = try info.check()
        guard let trips else { throw SummaryDecoder.notAnExport("it has no list `trips`") }
        let order: [ExportKey] = [.exportInfo, .trips, .organizations, .addresses, .attachments]
        let found = order.flatMap { $0 == .exportInfo ? info.problems : problems[$0] ?? [] }
        let summary = ExportSummary(
            info: checked, organizations: organizations, addresses: addresses, tripCount: trips.trips,
            itemCount: trips.items, attachmentCount: attachmentCount, problems: found,
            repetitions: repetitions)
        return (summary, trips.list, attachments)
    }

    /// The error for a file that is JSON but no export.
    static func notAnExport(_ why: String, at place: Place? = nil) -> ExportError {
        let location = place.map { ", at \($0)" } ?? ""
        return ExportError(
            .notAnExport,
            "The file is no Traveling Snails export: \(why)\(location). Give a file that the app exported as JSON.",
            at: place ?? Mark.startOfFile.place(""))
    }

    private mutating func readTrips(_ reader: inout JSONReader) throws(ExportError) {
        trips = nil
        problems[.trips] = nil
        let kind = try reader.valueKind()
        guard kind == .list else { return try reader.skipValue() }
        var count = TripCount(list: reader.mark)
        var found: [ExportProblem] = []
        try reader.beginList()
        // An error ends the reading, so the other value is not missed.
        reader.keepsTexts = false
        while let decoded = try reader.nextTrip() {
            switch decoded {
            case .good(let trip):
                count.trips += 1
                count.items += trip.items.count
            case .bad(let problem): found.append(problem)
            }
        }
        reader.keepsTexts = true
        trips = count
        problems[.trips] = found
    }

    private mutating func readOrganizations(_ reader: inout JSONReader) throws(ExportError) {
        organizations = []
        var found: [ExportProblem] = []
        guard try enterList(&reader) else { return }
        while try reader.nextElement() {
            if let problem = try reader.problemOfElement("An organization", .organization) {
                found.append(problem)
                continue
            }
            switch try OrganizationDecoder.decode(&reader, problems: &found) {
            case .good(let organization): organizations.append(organization)
            case .bad(let problem):
                try reader.noteProblem(at: problem.place)
                found.append(problem)
            }
        }
        problems[.organizations] = found
    }

    private mutating func readAddresses(_ reader: inout JSONReader) throws(ExportError) {
        addresses = []
        var found: [ExportProblem] = []
        guard try enterList(&reader) else { return }
        while try reader.nextElement() {
            if let problem = try reader.problemOfElement("An address") {
                found.append(problem)
                continue
            }
            switch try AddressDecoder.decode(&reader) {
            case .good(let address): addresses.append(address)
            case .bad(let problem):
                try reader.noteProblem(at: problem.place)
                found.append(problem)
            }
        }
        problems[.addresses] = found
    }

    private mutating func countAttachments(_ reader: inout JSONReader) throws(ExportError) {
        attachmentCount = 0
        attachments = nil
        _ = try reader.peek()
        let list = reader.mark
        guard try enterList(&reader) else { return }
        attachments = list
        while try reader.nextElement() {
            // Reported in the pass of the attachments, and counted here: a file with too many is refused before anything of it is used.
            if try reader.problemOfElement("An attachment", .attachment) == nil { try reader.skipValue() }
            attachmentCount += 1
        }
    }

    /// Enters a list of the root; another value is a problem, unless it is null.
    private mutating func enterList(_ reader: inout JSONReader) throws(ExportError) -> Bool {
        let key = reader.top.key
        problems[key] = nil
        _ = try reader.peek()
        let place = reader.place
        if try reader.list(&faults) { return true }
        if !faults.isEmpty { problems[key] = [faults.problem(place, "nothing of it is used")] }
        faults.forget(key)
        return false
    }
}
