import Foundation

/// Reads one organization. Its address is a record of its own: a bad one is left out, and the organization is kept.
struct OrganizationDecoder {
    private var faults = Faults()
    private var id: UUID?
    private var name = ""
    private var phone = ""
    private var email = ""
    private var website = ""
    private var logoURL = ""
    private var address: ExportedAddress?
    private var addressProblem: ExportProblem?

    /// Reads the object whose brace is the next byte. If the organization is good and its address is not, appends the
    /// address's problem to `problems`.
    static func decode(
        _ reader: inout JSONReader, problems: inout [ExportProblem]
    ) throws(ExportError) -> Decoded<ExportedOrganization> {
        let place = reader.place
        try reader.beginObject()
        var decoder = OrganizationDecoder()
        while let key = try reader.nextKey() { try decoder.read(key, &reader) }
        return decoder.finish(place, &problems)
    }

    private mutating func read(_ key: ExportKey, _ reader: inout JSONReader) throws(ExportError) {
        switch key {
        case .id: id = try reader.uuid(&faults)
        case .name: name = try reader.text(&faults)
        case .phone: phone = try reader.text(&faults)
        case .email: email = try reader.text(&faults)
        case .website: website = try reader.text(&faults)
        case .logoURL: logoURL = try reader.text(&faults)
        case .address: try readAddress(&reader)
        default: try reader.skipValue()
        }
    }

    private mutating func readAddress(_ reader: inout JSONReader) throws(ExportError) {
        address = nil
        addressProblem = nil
        if try reader.valueKind() == .null { return try reader.skipValue() }
        if let problem = try reader.problemOfElement("An address") {
            addressProblem = problem
            return
        }
        switch try AddressDecoder.decode(&reader) {
        case .good(let read): address = read
        case .bad(let problem):
            try reader.noteProblem(at: problem.place)
            addressProblem = problem
        }
    }

    private mutating func finish(_ place: Place, _ problems: inout [ExportProblem]) -> Decoded<ExportedOrganization> {
        if id == nil, faults.isEmpty { faults.add(.id, "`id` is missing") }
        guard let id, faults.isEmpty else {
            return .bad(faults.problem(place, "the organization is left out", leavingOut: [.organization: 1]))
        }
        if let addressProblem { problems.append(addressProblem) }
        return .good(
            ExportedOrganization(
                id: id, name: name, phone: phone, email: email, website: website, logoURL: logoURL, address: address,
                place: place))
    }
}
