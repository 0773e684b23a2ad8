extension ClosedRange<Day> {
    /// From text: a day as 2027-05-01, a range of days as 2027-05-01..2027-05-08, both included, a month as 2027-05, or a year as 2027.
    ///
    /// Throws `ValidationError` with `invalidDay` for what is no day of the calendar, or `invalidRange` for a last day before the first.
    package init(parsing text: String) throws(ValidationError) {
        if let separator = text.firstRange(of: "..") {
            let first = try Day(parsing: String(text[..<separator.lowerBound]))
            let last = try Day(parsing: String(text[separator.upperBound...]))
            guard first <= last else {
                throw ValidationError(
                    .invalidRange,
                    "The last day \(last) is before the first, \(first). Write the earlier one first: \(last)..\(first)."
                )
            }
            self = first...last
        } else if let month = Day("\(text)-01") {
            self = month...Day(month.year, month.month + 1, 0)
        } else if let year = Day("\(text)-01-01") {
            self = year...Day(year.year, 12, 31)
        } else if let day = Day(text) {
            self = day...day
        } else {
            throw ValidationError(
                .invalidDay,
                "\"\(text.prefix(100))\" is no day of the calendar and no range of days. Write a day as in 2027-05-01, a range as in "
                    + "2027-05-01..2027-05-08, a month as in 2027-05, or a year as in 2027.")
        }
    }
}
