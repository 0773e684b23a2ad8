/// What is wrong with the fields of one record, gathered while it is read.
struct Faults {
    private struct Fault {
        var key: ExportKey
        var place: Place?
        var reason: String
    }

    private var list: [Fault] = []

    /// Whether nothing is wrong.
    var isEmpty: Bool { list.isEmpty }

    /// Notes that a field cannot be used; without a place, that the record lacks it.
    mutating func add(_ key: ExportKey, at place: Place? = nil, _ reason: String) {
        list.append(Fault(key: key, place: place, reason: reason))
    }

    /// Drops what was noted of a field, because it comes again and the last one counts, or because it does not matter.
    @inline(__always)
    mutating func forget(_ key: ExportKey) {
        if !list.isEmpty { list.removeAll { $0.key == key } }
    }

    /// One problem for the whole record: at the field when a single one is at fault, else at the record.
    func problem(_ record: Place, _ consequence: String, leavingOut: [RecordKind: Int] = [:]) -> ExportProblem {
        let place = list.count == 1 ? list.first?.place ?? record : record
        let reasons = list.map(\.reason).sorted().joined(separator: "; ")
        return ExportProblem(place: place, reason: "\(reasons); \(consequence).", leftOut: leavingOut)
    }
}
