import Events
import Trips

/// What each commit added to an app's counter, from the histories of its shares.
///
/// An undo of an addition leaves the share as it is, and writes the negative at a path that names the undone commit: the same path on every
/// replica, so that concurrent undos of one commit subtract once.
struct CounterHistory {
    /// What commits added, by their hashes; nil where that is not known, for the value before was erased.
    private(set) var additions: [Digest: Int64?] = [:]
    /// The newest entry of each commit.
    private(set) var entries: [Digest: Int] = [:]

    /// `shares` are the writes to each share of the counter, in the order of the merge.
    init(_ shares: [[EntityTimeline.Write]], in timeline: EntityTimeline) {
        for share in shares { add(share, timeline) }
    }

    /// From the current write of a share back to those that its authors saw: what another branch of a forked line added is not part of it.
    private mutating func add(_ share: [EntityTimeline.Write], _ timeline: EntityTimeline) {
        var current = share.indices.last
        while let index = current {
            let write = share[index]
            let hash = timeline.entries[write.entry].stamp.hash
            let value = CounterShare.value(write.value)
            let base = base(of: index, in: share, timeline)
            let added: Int64? =
                switch base {
                case .nothing: value
                case .write(let earlier): value &- CounterShare.value(share[earlier].value)
                case .unknown: nil
                }
            if let added, let sum = additions[hash, default: 0] {
                additions[hash] = .some(sum &+ added)
            } else {
                additions[hash] = .some(nil)
            }
            entries[hash] = max(entries[hash] ?? write.entry, write.entry)
            current = if case .write(let earlier) = base { earlier } else { nil }
        }
    }

    private enum Base {
        case nothing
        case write(Int)
        case unknown
    }

    /// The value from which a write went on.
    private func base(of index: Int, in share: [EntityTimeline.Write], _ timeline: EntityTimeline) -> Base {
        let write = share[index]
        let before = index > 0 ? index - 1 : nil
        // Within a commit nothing has a time at which it was seen, and what was brought from elsewhere does not say.
        if let before, timeline.isOfSameCommit(share[before], write) { return .write(before) }
        if timeline.entries[write.entry].event.original != nil { return before.map { .write($0) } ?? .nothing }
        guard write.seen != nil else { return .nothing }
        return share[..<index].lastIndex { timeline.saw(write, $0) }.map { .write($0) } ?? .unknown
    }

    /// Where a commit's addition is taken back.
    static func correction(of commit: Digest, in field: UInt64) -> FieldPath {
        ElementKey(.correction, Array(commit.bytes.prefix(16))).path(in: field)
    }
}

extension EntityTimeline {
    /// The histories of an entity's counters, by the numbers of their fields.
    func counters() -> [UInt64: CounterHistory] {
        var shares: [UInt64: [[Write]]] = [:]
        for (path, writes) in writes {
            // Others are not counted either.
            guard let element = path.element, element.kind == .share, element.name.count == 16 else { continue }
            shares[path.field, default: []].append(writes)
        }
        return shares.mapValues { CounterHistory($0, in: self) }
    }

    /// The entry of the newest addition to a counter by a commit that is not selected and was not undone; nil if there is none.
    func newestAddition(besides isSelected: (Int) -> Bool) -> Int? {
        counters().compactMap { field, counter in
            counter.additions.compactMap { hash, count -> Int? in
                guard let entry = counter.entries[hash], !isSelected(entry) else { return nil }
                guard let count else { return entry }
                let path = CounterHistory.correction(of: hash, in: field)
                return CounterShare.value(current(at: path)) == 0 &- count ? nil : entry
            }.max()
        }.max()
    }
}
