import ArgumentParser

/// What of its options does not go together.
extension ListCommand {
    func validate() throws {
        try table.check(with: options)
        if what == nil && !deleted { throw ValidationError("Say what to list, as items, trips or organizations.") }
        try checkDeleted()
        if table.csv {
            let other = GivenOptions(asked.given.filter { !["--where", "--sort", "--columns"].contains($0.name) })
            if !other.names.isEmpty { throw ValidationError("--csv lists entities: leave out \(other).") }
            if subject == .added && kind == nil {
                throw ValidationError("--csv lists entities of one kind: name it, as in 'list own packing --csv'.")
            }
        }
        try checkKind()
        let page = GivenOptions([
            ("--limit", limits.limit != nil), ("--all", limits.all), ("--after", after != nil),
        ])
        if asked.count && !page.names.isEmpty {
            throw ValidationError("--count counts all of them: leave out \(page).")
        }
        if asked.isGrouped && !page.names.isEmpty {
            throw ValidationError("All groups are listed: leave out \(page).")
        }
        if asked.explain && after != nil {
            throw ValidationError("--explain says how the first page is found: leave out --after.")
        }
        if let kind, subject != .added {
            throw ValidationError("'\(kind)' goes with 'own'. Leave it out.")
        }
        if trip != nil && !deleted && [.organizations, .travellers, .unfiled, .trips].contains(subject) {
            throw ValidationError("--trip goes with items: \(subject.rawValue) belong to no trip here. Leave it out.")
        }
    }

    private func checkDeleted() throws {
        let given = GivenOptions(
            asked.given + [
                ("--csv", table.csv), ("--after", after != nil), ("--as-of", past.asOf != nil),
                ("'\(kind ?? "")'", kind != nil),
            ])
        if deleted && !given.names.isEmpty {
            throw ValidationError("--deleted lists what is deleted now: leave out \(given).")
        }
    }

    /// Refuses what is asked of one kind where several are listed, or what has no schema.
    private func checkKind() throws {
        guard asked.areGiven else { return }
        if subject.isOfItems && !asked.isCondition {
            let given = GivenOptions(asked.given.filter { !["--where", "--count"].contains($0.name) })
            throw ValidationError(
                "\(given.agreeing("asks", "ask")) one kind: list activities, lodgings or transportations.")
        }
        if !subject.isOfItems && subject.queried == nil && (subject != .added || kind == nil) {
            let given = GivenOptions(asked.given).agreeing("asks", "ask")
            throw ValidationError(
                "\(given) one kind, and '\(subject.rawValue)' is none. Name \(QueriedKind.names), or own and the name of a "
                    + "kind.")
        }
    }
}
