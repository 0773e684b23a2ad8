import TripStore

/// A trip as a calendar: rows of seven days from its first one, with a bar for what goes on for several of them.
struct TripOverview {
    /// A bar, or the part of it in a row.
    struct Bar {
        let entry: Itinerary.Entry
        /// From 0 on. One bar of a lane may begin on the day on which another ends.
        let lane: Int
        /// Half days, from 0 on, of all rows or of one: what begins or ends within a day has half of it.
        let halves: ClosedRange<Int>
        /// Whether the bar begins in an earlier row.
        var isContinued = false
        /// Whether it ends in a later one.
        var continues = false
    }

    struct Row {
        let first: Day
        fileprivate(set) var bars: [Bar] = []
        /// Items of one of its days, by the day's number from 0 on, in the order of time.
        fileprivate(set) var entries: [Int: [Itinerary.Entry]] = [:]

        var laneCount: Int { bars.map { $0.lane + 1 }.max() ?? 0 }
    }

    static let mostLanes = 6

    /// The rows in which something begins or ends, in order.
    let rows: [Row]
    /// How many bars have no lane.
    private(set) var unlisted = 0
    /// From the first to the last day of the trip and its items.
    let days: ClosedRange<Day>
    private let origin: Day

    /// Nil of fewer than two days, or of nothing planned. O(items, and weeks).
    init?(_ trip: Trip, _ itinerary: Itinerary) {
        let entries = itinerary.sections.flatMap(\.entries).filter(\.hasDetails)
        let ends = entries.flatMap { [$0.course.first, $0.course.last] } + [trip.startDay, trip.effectiveEndDay]
        guard let first = ends.compactMap(\.self).min(), let last = ends.compactMap(\.self).max(), first < last else {
            return nil
        }
        (days, origin) = (first...last, trip.startDay ?? first)
        var bars: [Bar] = []
        var rows: [Int: Row] = [:]
        var lanes: [Int] = []
        for entry in entries {
            if let halves = Self.halves(of: entry.course, from: origin) {
                guard let lane = lanes.firstIndex(where: { $0 < halves.lowerBound }) ?? Self.nextLane(&lanes) else {
                    unlisted += 1
                    continue
                }
                lanes[lane] = halves.upperBound
                bars.append(Bar(entry: entry, lane: lane, halves: halves))
                for half in [halves.lowerBound, halves.upperBound] { rows.add(half.row, from: origin) }
            } else if let day = entry.course.first ?? entry.course.last {
                let half = 2 * origin.distance(to: day)
                rows.add(half.row, from: origin)
                rows[half.row]?.entries[half.inRow / 2, default: []].append(entry)
            }
        }
        for bar in bars {
            for number in bar.halves.lowerBound.row...bar.halves.upperBound.row {
                rows[number]?.bars.append(bar.part(in: number))
            }
        }
        self.rows = rows.sorted { $0.key < $1.key }.map(\.value)
        if rows.isEmpty { return nil }
    }

    /// How many days a row has: all of them, if they are no more than seven.
    var columns: Int { days.lowerBound < origin ? 7 : min(7, origin.distance(to: days.upperBound) + 1) }

    /// Half days of all rows; nil of what is no bar.
    private static func halves(of course: ItemCourse, from origin: Day) -> ClosedRange<Int>? {
        guard let first = course.first, let last = course.last, first < last else { return nil }
        let isWhole = course.shownDays != nil
        guard isWhole || course.endsOnAnotherDay else { return nil }
        let (start, end) = (2 * origin.distance(to: first), 2 * origin.distance(to: last))
        return isWhole ? start...end + 1 : start + 1...end
    }

    private static func nextLane(_ lanes: inout [Int]) -> Int? {
        guard lanes.count < mostLanes else { return nil }
        lanes.append(.min)
        return lanes.count - 1
    }
}

extension TripOverview.Bar {
    fileprivate func part(in row: Int) -> Self {
        let all = 14 * row...14 * row + 13
        let part = halves.clamped(to: all)
        return Self(
            entry: entry, lane: lane, halves: part.lowerBound.inRow...part.upperBound.inRow,
            isContinued: halves.lowerBound < all.lowerBound, continues: halves.upperBound > all.upperBound)
    }
}

extension Int {
    /// The row of a half day.
    fileprivate var row: Int { (self - inRow) / 14 }
    fileprivate var inRow: Int { (self % 14 + 14) % 14 }
}

extension [Int: TripOverview.Row] {
    fileprivate mutating func add(_ number: Int, from origin: Day) {
        if self[number] == nil { self[number] = .init(first: origin.advanced(by: 7 * number)) }
    }
}
