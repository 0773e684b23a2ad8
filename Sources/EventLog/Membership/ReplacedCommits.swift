import Events

/// The commits of one replica that were replaced: parts of its lines, because timestamps increase along them.
struct ReplacedCommits: Sendable {
    private let family: LineFamily
    /// By line number.
    private var parts: [UInt32: [ClosedRange<SequenceNumber>]] = [:]

    /// O(replacements × branches × log commits).
    init(_ replacements: [Replacement], in family: LineFamily, _ log: borrowing LogSnapshot) throws {
        self.family = family
        for replacement in replacements {
            guard let owner = try family.owner(of: replacement.last, log) else { continue }
            for (line, end) in family.way(to: replacement.last.sequence, on: owner) {
                guard let member = family.member(numbered: line) else { continue }
                let first = try family.last(notAfter: replacement.after, upTo: end, on: member, log).next
                if first <= end { parts[line, default: []].append(first...end) }
            }
        }
    }

    /// Whether a commit of a line's own was replaced.
    func includes(_ sequence: SequenceNumber, on line: UInt32) -> Bool {
        parts[line]?.contains { $0.contains(sequence) } ?? false
    }

    func includes(_ commit: CommitID, _ log: borrowing LogSnapshot) throws -> Bool {
        // Fast path: of the line's other commits none is looked up.
        guard parts.values.contains(where: { $0.contains { $0.contains(commit.sequence) } }),
            let owner = try family.owner(of: commit, log)
        else { return false }
        return includes(commit.sequence, on: owner.head.line)
    }

    /// The last commit of a line's own, up to an end, that was not replaced; a lower number than the line's first if all were.
    func last(upTo end: SequenceNumber, on line: UInt32) -> SequenceNumber {
        var end = end
        while let part = parts[line]?.first(where: { $0.contains(end) }) {
            end = SequenceNumber(part.lowerBound.rawValue - 1)
        }
        return end
    }

    /// The parts up to the ends of lines, by line number.
    func parts(upTo ends: [UInt32: SequenceNumber]) -> [UInt32: [ClosedRange<SequenceNumber>]] {
        var found: [UInt32: [ClosedRange<SequenceNumber>]] = [:]
        for (line, parts) in parts {
            guard let end = ends[line] else { continue }
            for part in parts where part.lowerBound <= end {
                found[line, default: []].append(part.lowerBound...min(part.upperBound, end))
            }
        }
        return found
    }
}
