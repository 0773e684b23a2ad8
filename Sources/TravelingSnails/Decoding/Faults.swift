/// The faults in the fields of one record, collected while it is read.
struct Faults {
    private struct Fault {
        var key: ExportKey
        var place: Place?
        var reason: String
    }

    private var list: [Fault] = []

    /// Whether there are no faults.
    var isEmpty: Bool { list.isEmpty }

    /// Records that a field cannot be used; without a place, that the record lacks it.
    mutating func add(_ key: ExportKey, at place: Place? = nil, _ reason: String) {
        list.append(Fault(key: key, place: place, reason: reason))
    }

    /// Drops the faults of a field, because it occurs again and the last one counts, or because it does not matter.
    @inline(__always)
    mutating func forget(_ key: ExportKey) {
        if !list.isEmpty { list.removeAll { $0.key == key } }
    }

    /// One problem for the whole record: at the field if a single one is at fault, otherwise at the record.
    func problem(_ record: Place, _ consequence: String, leavingOut: [RecordKind: Int] = [:]) -> ExportProblem {
        let place = list.count == 1 ? list.first?.place ?? record : record
        let reasons = list.map(\.reason).sorted().joined(separator: "; ")
        return ExportProblem(place: place, reason: "\(reasons); \(consequence).", leftOut: leavingOut)
    }
}

/// The result of decoding one record: usable, or left out for a reason.
enum Decoded<Record> {
    case good(Record)
    case bad(ExportProblem)
}
