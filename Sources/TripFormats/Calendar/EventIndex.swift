/// Finds the events of a file of which others with the same UID stand somewhere else, as a changed time of one that recurs.
struct EventIndex: Sendable {
    /// 24 bytes for each event.
    struct Spot: Sendable {
        /// Of the calendar and the UID.
        let hash: UInt64
        /// The index of the first byte of its BEGIN.
        let offset: Int
        let line: UInt32
        let calendar: UInt32
    }

    /// Of all events that have a UID, in the order of the file; once it is finished, of those that stand apart, by calendar and UID.
    private(set) var spots: [Spot] = []
    private var apart = SortedHashes()

    static func hash(_ uid: String, calendar: Int) -> UInt64 { KnownHashes.hash([uid, "\(calendar)"]) }

    mutating func add(_ uid: String, calendar: Int, at offset: Int, line: Int) {
        guard !uid.isEmpty else { return }
        spots.append(
            Spot(
                hash: Self.hash(uid, calendar: calendar), offset: offset, line: UInt32(clamping: line),
                calendar: UInt32(clamping: calendar)))
    }

    /// Keeps the events that stand apart. O(events × log events).
    mutating func finish() {
        // The first event of each run of one UID: a UID with two runs stands apart.
        var runs: [UInt64] = []
        var last: UInt64?
        for spot in spots where spot.hash != last {
            runs.append(spot.hash)
            last = spot.hash
        }
        runs.sort()
        for index in runs.indices.dropFirst() where runs[index] == runs[index - 1] { apart.append(hash: runs[index]) }
        apart.sort()
        runs = []
        spots = spots.filter { apart.contains(hash: $0.hash) }
        spots.sort { ($0.calendar, $0.hash, $0.offset) < ($1.calendar, $1.hash, $1.offset) }
    }

    func isApart(_ hash: UInt64) -> Bool { apart.contains(hash: hash) }

    /// The events of a calendar that stand apart, by UID.
    func spots(of calendar: Int) -> ArraySlice<Spot> {
        let first = firstIndex { $0.calendar >= calendar }
        return spots[first..<firstIndex { $0.calendar > calendar }]
    }

    private func firstIndex(_ isBehind: (Spot) -> Bool) -> Int {
        var (low, high) = (0, spots.count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(spots[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
