import TripStore

/// A cell with a day, which spreadsheets write by the customs of their country when they save a table.
enum DayCell {
    /// The day as the store shows it: the one that is there if the cell may mean it, else the only one that it may mean; the
    /// text itself if it may mean several, or none.
    static func text(_ text: String, besides present: String) -> String {
        let days = meanings(of: text).map(\.description)
        if days.contains(present) { return present }
        return days.count == 1 ? days[0] : text
    }

    /// "1.5.2027" and "1. 5. 2027" are in May, "2027/5/1" and "2027. 5. 1." too, and "5/1/2027" and "5-1-2027" in May or January.
    private static func meanings(of text: String) -> Set<Day> {
        guard let sign = text.first(where: { !$0.isNumber }), ["/", ".", "-"].contains(sign) else { return [] }
        let text = sign == "." && text.last == sign ? text.dropLast() : text[...]
        let numbers = text.split(separator: sign, omittingEmptySubsequences: false).map { part in
            Int(part.drop { $0 == " " }) ?? 0
        }
        guard numbers.count == 3 else { return [] }
        let orders = numbers[0] > 31 ? [[0, 1, 2]] : sign == "." ? [[2, 1, 0]] : [[2, 1, 0], [2, 0, 1]]
        return Set(
            orders.compactMap { order in
                // Two digits may be a year of any century.
                let year = numbers[order[0]]
                return year > 99 ? Day(year: year, month: numbers[order[1]], day: numbers[order[2]]) : nil
            })
    }
}
