import TripStore

extension TableRow {
    func setTimes(of item: inout ForeignItem) throws(TextFormatError) {
        let zone = try zone(.zone) ?? context.zone
        let start = try time(.start)?.time
        let startDay = start?.day?.advanced(by: start?.shift ?? 0)
        let startMoment = start.flatMap { time in time.day.flatMap { time.moment(on: $0, in: zone) } }
        if isMapped(.start) {
            (item.start, item.startDay) = (.some(startMoment), .some(startMoment == nil ? startDay : nil))
        }
        guard isMapped(.end) else { return }
        (item.end, item.endDay) = (.some(nil), .some(nil))
        let endZone = try self.zone(.endZone) ?? zone
        guard hasOwnEnd, let (read, isAlone) = try time(.end, on: startDay), let day = read.day else { return }
        var end = read
        guard let moment = end.moment(on: day, in: endZone) else {
            item.endDay = .some(day)
            return
        }
        // An end that has its day from the start is on the next one if it would be before the start.
        let hasDayOfStart = isAlone || !sharedColumns.isEmpty
        if hasDayOfStart, end.shift == nil, let startMoment, moment.milliseconds < startMoment.milliseconds {
            end.shift = 1
        }
        item.end = .some(end.moment(on: day, in: endZone))
    }

    /// The columns that the start and the end have in common, such as that of the day.
    private var sharedColumns: Set<Int> {
        Set(columns.fields[.start] ?? []).intersection(columns.fields[.end] ?? [])
    }

    /// Whether the row says more of the end than what it has in common with the start: else the end is not known.
    private var hasOwnEnd: Bool {
        let (shared, end) = (sharedColumns, columns.fields[.end] ?? [])
        return shared.isEmpty || shared == Set(end)
            || end.contains { !shared.contains($0) && $0 < cells.count && !cells[$0].text.isUnknown }
    }

    private func zone(_ field: TableMapping.Field) throws(TextFormatError) -> String? {
        let name = text(field)
        guard !name.isEmpty else { return nil }
        guard Moment(milliseconds: 0, zone: name).timeZone != nil else {
            throw fault(
                field, "\"\(name.prefix(60))\" is no time zone known here. Use an IANA name, such as Europe/Lisbon.")
        }
        return name
    }

    /// Forms of a time alone, which is of the day of the start.
    private static let clocks = ["HH:mm", "H:mm", "HH:mm:ss", "h:mm a"].compactMap { DatePattern($0) }

    /// The time of a field, with its day; nil if the row does not say it.
    /// - Parameter day: of a time alone; nil if there is none.
    private func time(
        _ field: TableMapping.Field, on day: Day? = nil
    ) throws(TextFormatError) -> (time: TableTime, isAlone: Bool)? {
        let known = (columns.fields[field] ?? []).compactMap { $0 < cells.count ? cells[$0].text.trimmed : nil }
            .filter { !$0.isUnknown }
        let text = known.isEmpty ? context.mapping.constants[field] ?? "" : known.joined(separator: " ")
        guard !text.isUnknown else { return nil }
        for pattern in context.mapping.patterns + (day == nil ? [] : Self.clocks) {
            guard var time = pattern.parse(text), let of = time.day ?? day else { continue }
            let isAlone = time.day == nil
            time.day = of
            return (time, isAlone)
        }
        let formats = context.mapping.patterns.map(\.text).joined(separator: ", ")
        throw fault(
            field,
            "\"\(text.prefix(60))\" is no day or time of the years 1 to 9999 in \(formats). Add its format to 'dateFormats'."
        )
    }
}
