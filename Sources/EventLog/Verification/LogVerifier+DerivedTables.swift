import Events

/// The tables that are derived from the commits: what they say is held against what the commits came to.
extension LogVerifier {
    mutating func checkHeads() throws {
        var verifier = self
        var seen: Set<LineID> = []
        try rows.forEachRow(of: .heads) { key, value in
            guard let line = LineID(key), let head = LineHead(value) else {
                return verifier.find("head", "A row of heads cannot be read.")
            }
            seen.insert(line)
            let state = verifier.lines[line] ?? Line()
            if head.sequence.rawValue != state.sequence || head.hash != state.hash
                || head.timestamp != state.timestamp || head.position.rawValue != state.position
                || head.signed.rawValue != state.signed || head.unsignedBytes != state.unsigned.bytes
            {
                verifier.find(
                    "head",
                    "The head names commit \(head.sequence) at position \(head.position), signed up to \(head.signed), "
                        + "and the line ends with \(state.sequence) at \(state.position), signed up to "
                        + "\(state.signed).", line, head.sequence.rawValue)
            }
        }
        for line in verifier.lines.keys where !seen.contains(line) {
            verifier.find("head", "The line of replica \(line.replica) has no head.", line, 0)
        }
        self = verifier
    }

    mutating func checkRuns() throws {
        var verifier = self
        var rest = runs
        try rows.forEachRow(of: .runs) { key, value in
            guard key.count == 12, value.count == 8, let line = verifier.numbers[key.bigEndian(UInt32.self)] else {
                return verifier.find("run", "A row of runs cannot be read.")
            }
            let sequence = key.bigEndian(UInt64.self, at: 4)
            let position = value.bigEndian(UInt64.self)
            if rest[line]?.removeValue(forKey: sequence) != position {
                verifier.find(
                    "run", "A run names position \(position), where no run of the line begins.", line, sequence)
            }
        }
        for (line, missing) in rest {
            for sequence in missing.keys.sorted() {
                verifier.find("run", "A run of the line is not listed.", line, sequence)
            }
        }
        self = verifier
    }

    mutating func checkMeta() throws {
        var rowCount = 0
        var format: UInt32 = 0
        try rows.forEachRow(of: .meta) { key, value in
            rowCount += 1
            if key.elementsEqual(MetaKey.format), value.count == 4 { format = value.bigEndian(UInt32.self) }
        }
        if rowCount == 0 { return }
        if format == 0 || format > CommitHeader.currentFormat {
            find("meta", "The log says that its format is \(format).")
        }
    }
}
