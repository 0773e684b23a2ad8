package import EventLog
import Events

extension Log {
    /// Signs its line, and passes everything that it lists to another log of its journal, with the erasures.
    package func pass(to other: Log) async throws {
        try await signHead()
        let segments = try read { log in
            let journal = try log.journal()
            var found: [LineSegment] = []
            for range in try log.ranges(towards: log.listedHeads(of: journal), lackedBy: [], in: journal) {
                var sequence = range.after
                while sequence < range.head.sequence,
                    let segment = try log.segment(towards: range.head, after: sequence, in: journal)
                {
                    found.append(segment)
                    sequence = segment.last
                }
            }
            return found
        }
        for segment in segments { try await other.store(segment) }
    }
}
