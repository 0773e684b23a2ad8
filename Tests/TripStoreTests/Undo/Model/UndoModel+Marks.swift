import Events

extension UndoModel {
    /// The commit that an undo or redo refers to in the end, and which of the two it is.
    private func lead(_ number: Int, _ held: [Int]) -> (root: Int, undoes: Bool)? {
        guard let named = commit(number).named else { return nil }
        if held.contains(named), let before = lead(named, held) { return (before.root, !before.undoes) }
        return (named, true)
    }

    /// The undos and redos of a commit that write to an entity, in the order of the merge.
    private func marks(_ root: Int, _ entity: EntityReference, _ held: [Int]) -> [(number: Int, undoes: Bool)] {
        held.sorted { commit($0).stamp < commit($1).stamp }.compactMap { number in
            guard let lead = lead(number, held), lead.root == root, commit(number).entities.contains(entity) else {
                return nil
            }
            return (number, lead.undoes)
        }
    }

    private func isUndone(_ part: Part, _ held: [Int]) -> Bool {
        marks(part.commit, part.entity, held).last?.undoes ?? false
    }

    private func stands(_ part: Part, _ held: [Int]) -> Bool {
        guard let lead = lead(part.commit, held) else { return false }
        let marks = marks(lead.root, part.entity, held)
        guard let place = marks.firstIndex(where: { $0.number == part.commit }) else { return false }
        return marks[place...].allSatisfy { $0.undoes == lead.undoes }
    }

    /// The undo of an author's last commit that can be undone; nil if there is none. `held` is in the order of arrival.
    func undoOfLast(by author: String, _ held: [Int]) -> (named: Int, writes: [Write])? {
        for number in held.reversed() where commit(number).author == author && commit(number).named == nil {
            let parts = commit(number).entities.map { Part(commit: number, entity: $0) }
            let left = Set(parts.filter { !isUndone($0, held) })
            let writes = undo(left, held)
            if !writes.isEmpty { return (number, writes) }
        }
        return nil
    }

    /// The redo of an author's newest undo; nil if there is none.
    func redo(by author: String, _ held: [Int]) -> (named: Int, writes: [Write])? {
        var first: Int?
        var parts: Set<Part> = []
        for number in held.reversed() where commit(number).author == author && commit(number).isUndo {
            let all = commit(number).entities.map { Part(commit: number, entity: $0) }
            var standing = all.filter { stands($0, held) }
            if standing.isEmpty { continue }
            if let first {
                // An undo that took several commits has one correlation, and is redone as one.
                guard commit(first).named == commit(number).named,
                    commit(first).correlation == commit(number).correlation
                else { break }
                if commit(first).correlation == nil {
                    standing = standing.filter { part in parts.contains { $0.entity == part.entity } }
                }
            }
            first = first ?? number
            parts.formUnion(standing)
        }
        return first.map { ($0, undo(parts, held)) }
    }
}
