extension JSONReader {
    /// The next element of the list of trips, which has been entered; nil at the end of the list, which it leaves.
    mutating func nextTrip() throws(ExportError) -> Decoded<ExportedTrip>? {
        guard try nextElement() else { return nil }
        if let problem = try problemOfElement("A trip", .trip) { return .bad(problem) }
        let trip = try TripDecoder.decode(&self)
        if case .bad(let problem) = trip { try noteProblem(at: problem.place) }
        return trip
    }

    /// Makes a reader that was opened at the bracket of a list of the root one that came there from the root.
    mutating func enterFromRoot(_ key: ExportKey) throws(ExportError) {
        outer.append(top)
        top = Frame(kind: .object, isFresh: false, key: key)
        try beginList()
    }
}
