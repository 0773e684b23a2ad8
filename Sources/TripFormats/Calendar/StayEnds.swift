import TripStore

/// Stays that a calendar has as two events, as TripIt writes them: a check-in and a check-out.
enum StayEnds {
    /// The most nights between the two.
    private static let mostNights = 60

    /// An end of a stay, as the name of an event has it.
    private struct End {
        let isLeaving: Bool
        /// The rest of the name: where one stays.
        let name: String
        /// What both ends have alike.
        let key: String
        let day: Day

        /// Nil for an event that is no stay, takes longer than a night, or names no end of it.
        init?(_ entry: CalendarItems.Entry, _ words: EndWords) {
            let item = entry.item
            guard item.kind == .lodging, entry.own == nil, let days = item.days,
                days.lowerBound.distance(to: days.upperBound) <= 1,
                let (isLeaving, name) = words.reading(String(item.name.prefix(300)))
            else { return nil }
            self.isLeaving = isLeaving
            self.name = name.isEmpty ? (item.address ?? nil)?.formatted ?? "" : name
            key = KindWords.folded(self.name)
            day = days.lowerBound
        }
    }

    /// Words for the ends of a stay, for all events of a file: compiling them takes far longer than looking for them.
    private struct EndWords {
        private let arriving = /\b(?:check[\s\-]?in|anreise|arrival)\b/.ignoresCase()
        private let leaving = /\b(?:check[\s\-]?out|abreise|departure)\b/.ignoresCase()
        private let joining = /^[\s:]*(?:at|to|from|of|im|in|bei|aus)\s/.ignoresCase()

        /// Whether it is the day of leaving, and the name without the words for that.
        ///
        /// Nil for a name without words for one of the ends, or with those for both.
        func reading(_ text: String) -> (isLeaving: Bool, name: String)? {
            let (first, last) = (text.firstRange(of: arriving), text.firstRange(of: leaving))
            guard let found = first ?? last, first == nil || last == nil else { return nil }
            let signs = Set(" :-–—,()")
            func plain(_ text: Substring) -> String {
                var text = text[...]
                while let sign = text.first, signs.contains(sign) { text.removeFirst() }
                while let sign = text.last, signs.contains(sign) { text.removeLast() }
                return String(text)
            }
            let before = plain(text[..<found.lowerBound])
            // "Late check-out" is what a whole stay has.
            guard !["early", "late", "free"].contains(before.split(separator: " ").last?.lowercased()) else {
                return nil
            }
            let after = plain(text[found.upperBound...].trimmingPrefix(joining))
            return (last != nil, [before, after].filter { !$0.isEmpty }.joined(separator: " "))
        }
    }

    /// Takes from some entries those that are an end of a stay.
    static func removed(from entries: inout [CalendarItems.Entry]) -> [CalendarItems.Entry] {
        let words = EndWords()
        var ends: [CalendarItems.Entry] = []
        entries.removeAll { entry in
            guard End(entry, words) != nil else { return false }
            ends.append(entry)
            return true
        }
        return ends
    }

    /// The entries with one for both ends of each stay. A check-out without its check-in is an activity: it takes no night.
    static func joined(
        _ entries: [CalendarItems.Entry], _ warnings: inout CountedWarnings
    ) -> [CalendarItems.Entry] {
        let words = EndWords()
        let ends = entries.indices.compactMap { index in End(entries[index], words).map { (index: index, end: $0) } }
        guard ends.contains(where: \.end.isLeaving) else { return entries }
        var entries = entries
        var removed: Set<Int> = []
        // Of one day the leaving comes first: one stay may follow another.
        let sorted = ends.sorted {
            ($0.end.day, $0.end.isLeaving ? 0 : 1, $0.index) < ($1.end.day, $1.end.isLeaving ? 0 : 1, $1.index)
        }
        var arrivals: [String: (index: Int, end: End)] = [:]
        for (index, end) in sorted {
            guard end.isLeaving else {
                arrivals[end.key] = (index, end)
                continue
            }
            let line = entries[index].line
            guard let arrival = arrivals.removeValue(forKey: end.key), !end.key.isEmpty,
                arrival.end.day.distance(to: end.day) <= mostNights,
                entries[arrival.index].item.stage == entries[index].item.stage
            else {
                entries[index].item = entries[index].item.taken(as: .activity)
                warnings.add("a check-out without its check-in is taken for an activity", at: line)
                continue
            }
            entries[arrival.index].item.join(entries[index].item, named: arrival.end.name, until: end.day)
            removed.insert(index)
            warnings.add(
                "a check-in and a check-out of one name are taken for one stay", at: entries[arrival.index].line)
        }
        return entries.indices.filter { !removed.contains($0) }.map { entries[$0] }
    }
}

extension ForeignItem {
    /// Makes a check-in the stay that ends with a check-out.
    fileprivate mutating func join(_ leaving: ForeignItem, named name: String, until day: Day) {
        self.name = name
        // By the clocks of two zones the day of leaving may be later, and its time earlier.
        if let time = leaving.start ?? nil, let arrival = start ?? nil, arrival.milliseconds <= time.milliseconds {
            end = .some(time)
            (startDay, endDay) = (.some(nil), .some(nil))
        } else {
            let first = days?.lowerBound
            (start, end) = (.some(nil), .some(nil))
            (startDay, endDay) = (.some(first), .some(day))
        }
        reservation = reservation ?? leaving.reservation
    }
}
