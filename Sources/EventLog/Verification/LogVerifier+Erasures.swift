import Events

/// Compares what is missing of the commits with the erasures.
extension LogVerifier {
    mutating func readErasures() throws {
        var faults: [String] = []
        erasures = try HeldErasures(rows) { faults.append($0) }
        for fault in faults { find("erasure", fault) }
    }

    /// Exactly what erasures name is missing. Judged once the members are known.
    mutating func checkErasures() throws {
        guard !erasures.concerned.isEmpty else { return }
        let memberships = try members.resolved(rows)
        for commit in erasures.concerned {
            let faults = commit.faults(memberships[commit.journal])
            let (line, sequence) = (commit.line, commit.name.sequence.rawValue)
            if faults.rows > 0 {
                find(
                    "erasure",
                    "\(faults.rows) erasures of the commit should not be here: they are not signed by who may erase it, name what it does "
                        + "not have, or are too many.", at: commit.position, line, sequence)
            }
            if faults.isMissing {
                find(
                    "payloadMissing",
                    "The payload, or a part of it, is gone, and no erasure that counts names it. An exchange that heals puts it back, with "
                        + "any replica that has it.", at: commit.position, line, sequence)
            }
            if faults.isLeft {
                find(
                    "notErased", "Bytes of the commit are here that an erasure names.", at: commit.position, line,
                    sequence)
            }
        }
    }
}
