import Events

extension LineFamily {
    /// The timestamp of a line's own commit. Does not ask whether the commit counts, which may depend on it.
    func timestamp(
        of sequence: SequenceNumber, on member: Member, _ log: borrowing LogSnapshot
    ) throws -> Timestamp {
        let position = try log.run(of: sequence, in: member.head, replica).position
        guard let commit = try log.bytes(at: position.rawValue) else {
            throw LogSnapshot.damaged("commit \(sequence) of replica \(replica)")
        }
        return commit.view.header.timestamp
    }

    /// The last of a line's own commits, up to a number, that is not later than a time; the number before the line's first if all are
    /// later. Timestamps increase along a line: O(log commits).
    func last(
        notAfter time: Timestamp, upTo end: SequenceNumber, on member: Member, _ log: borrowing LogSnapshot
    ) throws -> SequenceNumber {
        var (low, high) = (max(member.head.first.rawValue, 1) - 1, end.rawValue)
        while low < high {
            let middle = SequenceNumber(high - (high - low) / 2)
            if try timestamp(of: middle, on: member, log) <= time {
                low = middle.rawValue
            } else {
                high = middle.rawValue - 1
            }
        }
        return SequenceNumber(low)
    }
}
