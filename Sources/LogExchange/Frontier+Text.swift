package import EventLog
import Events

extension Frontier {
    /// Its heads as `REPLICA:SEQUENCE:HASH`, with commas between them.
    public var text: String { heads.map(\.description).joined(separator: ",") }

    /// From such a text. If the hash is left out, it is that of the log's own commit with that number.
    ///
    /// Throws `ExchangeError.invalidFrontier`.
    package init(_ text: String, in log: borrowing LogSnapshot) throws {
        let journal = try log.journal()
        var heads: [CommitID] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let fields = part.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 2 || fields.count == 3, let replica = ReplicaID(fields[0]),
                let number = UInt64(fields[1]), number > 0
            else {
                throw ExchangeError(
                    .invalidFrontier,
                    "'\(part)' is no head of a line. Give REPLICA:SEQUENCE or REPLICA:SEQUENCE:HASH, with commas between."
                )
            }
            let sequence = SequenceNumber(number)
            if fields.count == 3 {
                guard let hash = Digest(fields[2]) else {
                    throw ExchangeError(.invalidFrontier, "'\(fields[2])' is no hash, which has 64 hexadecimal digits.")
                }
                heads.append(CommitID(replica: replica, sequence: sequence, hash: hash))
                continue
            }
            let line = LineID(journal: journal, replica: replica)
            guard let position = try log.position(of: sequence, in: line), let commit = try log.commit(at: position)
            else {
                throw ExchangeError(
                    .invalidFrontier,
                    "Replica \(replica) has no commit \(number) here, so its hash cannot be looked up. Give it as well."
                )
            }
            heads.append(CommitID(replica: replica, sequence: sequence, hash: commit.hash))
        }
        self.init(journal: journal, heads: heads)
    }
}
