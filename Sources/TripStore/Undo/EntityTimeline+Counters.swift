import EventLog
import Events
import Trips

/// Counters are undone by what commits added, not by values: a share goes on from what it was, whoever undoes an addition.
extension EntityTimeline {
    /// Where a commit's addition to a counter is taken back.
    static func correction(of commit: Digest, in field: UInt64) -> FieldPath {
        ElementKey(.correction, Array(commit.bytes.prefix(16))).path(in: field)
    }

    /// What each write to a share added to it, in the order of the merge.
    func additions(_ share: [Write]) -> [(write: Write, count: Int64)] {
        var before: Int64 = 0
        return share.map { write in
            let value = CounterShare.value(write.value)
            defer { before = value }
            return (write, value &- before)
        }
    }

    /// The entry of the newest unselected addition to a share that was not taken back; nil if there is none.
    func newestAddition(_ share: [Write], in field: UInt64, besides isSelected: (Int) -> Bool) -> Int? {
        additions(share).last { addition in
            guard addition.count != 0, !isSelected(addition.write.entry) else { return false }
            let path = Self.correction(of: entries[addition.write.entry].stamp.hash, in: field)
            return CounterShare.value(current(at: path)) != 0 &- addition.count
        }?.write.entry
    }

    /// What has to stand at the corrections of a counter for the selected additions to a share to be taken back.
    func corrections(
        _ share: [Write], in field: UInt64, where isSelected: (Int) -> Bool
    ) -> [(path: FieldPath, value: [UInt8])] {
        var counts: [Digest: Int64] = [:]
        for addition in additions(share) where isSelected(addition.write.entry) {
            counts[entries[addition.write.entry].stamp.hash, default: 0] &-= addition.count
        }
        return counts.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.filter { $0.value != 0 }
            .map { (Self.correction(of: $0.key, in: field), CounterShare.bytes($0.value)) }
    }
}
