public import TripStore

/// The items that a table describes, by a mapping of its columns.
public struct TableItems: Sendable {
    public struct Entry: Sendable {
        /// The name of the row, unique among the rows of its source.
        public let externalID: String
        public let item: ForeignItem
        public let line: Int
    }

    public private(set) var entries: [Entry] = []

    /// Reads a table: the first row that cannot be read refuses it. O(bytes).
    ///
    /// - Parameters:
    ///   - zone: of times whose row names none.
    ///   - currency: of costs whose row names none.
    /// - Throws: `TextFormatError` with the place of the cell; `invalidMapping` if the table lacks a column.
    public init(
        reading bytes: [UInt8], _ mapping: TableMapping, zone: String, currency: Currency
    ) throws(TextFormatError) {
        var reader = try DelimitedReader(bytes, delimiter: mapping.delimiter)
        var header: [DelimitedReader.Cell] = []
        if mapping.hasHeader {
            guard let first = try reader.next() else {
                throw TextFormatError(.empty, "It has no header. Check that it was saved whole.")
            }
            header = first
        }
        var next = try reader.next()
        // Without a header the first row says how many columns there are.
        let first = next?.count ?? 0
        let columns = try TableColumns(mapping, header, count: mapping.hasHeader ? header.count : next?.count)
        while let row = next {
            try Self.check(row, count: mapping.hasHeader ? header.count : first, mapping, reader.isAtEnd)
            let reading = RowReading(row, columns, mapping, zone: zone, currency: currency)
            entries.append(
                Entry(externalID: try reading.externalID(), item: try reading.item(), line: row[0].place.line))
            next = try reader.next()
        }
    }

    /// Throws for a row with another number of cells than the header, or than the first row without a header.
    private static func check(
        _ row: [DelimitedReader.Cell], count: Int, _ mapping: TableMapping, _ isLast: Bool
    ) throws(TextFormatError) {
        let counts = "The row has \(row.count) cells, and the \(mapping.hasHeader ? "header" : "first row") \(count)."
        if row.count > count {
            // Without a header rows may have more cells than any column that is mapped.
            guard mapping.hasHeader else { return }
            throw TextFormatError(
                .malformed, "\(counts) Check the delimiter and the quotes.", at: row[count].place)
        }
        guard row.count < count else { return }
        throw TextFormatError(
            isLast ? .truncated : .malformed,
            isLast
                ? "\(counts) If the file was cut off, get it again; else add the cells that are missing."
                : "\(counts) Check the delimiter and the quotes, and add the cells that are missing.",
            at: row[row.count - 1].place)
    }
}

/// One row, as an item.
private struct RowReading {
    private let row: [DelimitedReader.Cell]
    private let columns: TableColumns
    private let mapping: TableMapping
    private let zone: String
    private let currency: Currency

    init(
        _ row: [DelimitedReader.Cell], _ columns: TableColumns, _ mapping: TableMapping, zone: String,
        currency: Currency
    ) {
        (self.row, self.columns, self.mapping, self.zone, self.currency) = (row, columns, mapping, zone, currency)
    }

    /// The texts of the key columns; without such the kind, the name and the start.
    func externalID() throws(TextFormatError) -> String {
        guard columns.key.isEmpty else {
            let texts = columns.key.map { $0 < row.count ? row[$0].text.trimmed : "" }
            guard texts.contains(where: { !$0.isEmpty }) else {
                throw TextFormatError(
                    .malformed, "The row has no id. Give it one, or name other columns as the id.", at: row[0].place)
            }
            return texts.joined(separator: "\u{1F}")
        }
        return [TableMapping.Field.kind, .name, .start].map { text($0) }.joined(separator: "\u{1F}")
    }

    private func text(_ field: TableMapping.Field) -> String {
        guard let indexes = columns.fields[field] else { return mapping.constants[field] ?? "" }
        let texts = indexes.compactMap { $0 < row.count ? row[$0].text.trimmed : nil }.filter { !$0.isEmpty }
        return texts.isEmpty ? mapping.constants[field] ?? "" : texts.joined(separator: " ")
    }

    private func isMapped(_ field: TableMapping.Field) -> Bool {
        columns.fields[field] != nil || mapping.constants[field] != nil
    }

    private func optional(_ field: TableMapping.Field) -> String? { isMapped(field) ? text(field) : nil }

    private func fault(_ field: TableMapping.Field, _ message: String) -> TextFormatError {
        let index = columns.fields[field]?.first { $0 < row.count }
        return TextFormatError(.malformed, message, at: index.map { row[$0].place } ?? row[0].place)
    }

    func item() throws(TextFormatError) -> ForeignItem {
        var item = ForeignItem(try kind(), name: text(.name))
        guard !item.name.isEmpty else { throw fault(.name, "The row has no name. Give it one.") }
        try setTimes(of: &item)
        item.cost = try cost()
        item.reservation = optional(.confirmation)
        item.notes = optional(.notes)
        item.category = optional(.category)
        item.customLocationName = optional(.place)
        item.stage = try choice(.stage, PlanningStage.self)
        item.paid = try choice(.paid, PaidStatus.self)
        item.address = try address()
        item.links = optional(.url).map { $0.isEmpty ? [] : [Link($0)] }
        guard item.kind == .transportation else { return item }
        item.mode = try choice(.mode, TransportationMode.self)
        item.carrier = optional(.carrier)
        item.number = optional(.number)
        item.seat = optional(.seat)
        item.departure = optional(.from).map { TravelPlace(place: $0) }
        item.arrival = optional(.to).map { TravelPlace(place: $0) }
        return item
    }

    private func kind() throws(TextFormatError) -> ForeignItem.Kind {
        let text = text(.kind)
        guard !text.isEmpty else { return .activity }
        guard let kind = mapping.kinds[text.lowercased()] else {
            throw fault(.kind, "\"\(text.prefix(60))\" is no kind: say with 'kinds' in the mapping what it is.")
        }
        return kind
    }

    private func choice<Value: OpenEnumeration>(
        _ field: TableMapping.Field, _ type: Value.Type
    ) throws(TextFormatError) -> Value? {
        guard let text = optional(field) else { return nil }
        if text.isEmpty { return Value(rawValue: 0) }
        guard let value = Value.known.first(where: { $0.name.lowercased() == text.lowercased() })?.value else {
            let names = Value.known.map(\.name).joined(separator: ", ")
            throw fault(field, "\"\(text.prefix(60))\" is none of \(names).")
        }
        return value
    }

    private func cost() throws(TextFormatError) -> Money?? {
        guard let text = optional(.cost) else { return nil }
        guard !text.isEmpty else { return .some(nil) }
        let code = self.text(.currency)
        let currency = code.isEmpty ? self.currency : Currency(code)
        guard let currency else { throw fault(.currency, "\"\(code.prefix(60))\" is no currency of ISO 4217, as EUR.") }
        guard let digits = ungrouped(text) else {
            throw fault(
                .cost,
                "\"\(text.prefix(60))\" is no amount with \"\(mapping.decimalSeparator)\" before its fraction and signs between groups of "
                    + "three digits. Name the other one as 'decimalSeparator' if the fraction follows that.")
        }
        do throws(ValidationError) { return .some(try Money(parsing: digits, currency)) } catch {
            throw fault(.cost, error.message)
        }
    }

    /// An amount with a point before its fraction, without the signs between groups of three digits; nil if there are other groups: a sign for
    /// the fraction that was taken for one between groups would make a hundredfold of the amount.
    private func ungrouped(_ text: String) -> String? {
        let (decimal, other): (Character, Character) = mapping.decimalSeparator == "," ? (",", ".") : (".", ",")
        let parts = text.split(separator: decimal, omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first else { return nil }
        let groups = whole.split(omittingEmptySubsequences: false) {
            $0 == other || [" ", "'", "\u{A0}", "\u{202F}"].contains($0)
        }
        guard groups.count == 1 || groups.dropFirst().allSatisfy({ $0.count == 3 && $0.allSatisfy(\.isNumber) }),
            groups.count == 1 || 1...4 ~= groups[0].count, parts.dropFirst().allSatisfy({ !$0.contains(other) })
        else { return nil }
        return groups.joined() + parts.dropFirst().map { "." + $0 }.joined()
    }

    private func address() throws(TextFormatError) -> Address?? {
        guard isMapped(.address) || isMapped(.latitude) else { return nil }
        var address = Address(formatted: text(.address))
        let texts = (text(.latitude), text(.longitude))
        if !texts.0.isEmpty || !texts.1.isEmpty {
            guard let latitude = Double(decimal(texts.0)), let longitude = Double(decimal(texts.1)),
                Coordinates(latitude: latitude, longitude: longitude).isInRange
            else {
                throw fault(
                    .latitude,
                    "\"\(texts.0.prefix(30))\" and \"\(texts.1.prefix(30))\" are no latitude and longitude in degrees.")
            }
            address.coordinates = Coordinates(latitude: latitude, longitude: longitude)
        }
        return .some(address.isEmpty ? nil : address)
    }

    private func decimal(_ text: String) -> String {
        mapping.decimalSeparator == "," ? text.replacing(",", with: ".") : text
    }

    // MARK: Times

    private func setTimes(of item: inout ForeignItem) throws(TextFormatError) {
        let zone = try zone(.zone) ?? zone
        let start = try time(.start, zone)
        let end = try time(.end, try self.zone(.endZone) ?? zone)
        if isMapped(.start) {
            (item.start, item.startDay) = (.some(start?.moment), .some(start?.moment == nil ? start?.day : nil))
        }
        if isMapped(.end) {
            (item.end, item.endDay) = (.some(end?.moment), .some(end?.moment == nil ? end?.day : nil))
        }
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

    private func time(_ field: TableMapping.Field, _ zone: String) throws(TextFormatError) -> (
        day: Day, moment: Moment?
    )? {
        let text = text(field)
        guard !text.isEmpty else { return nil }
        for pattern in mapping.patterns {
            guard let (day, second) = pattern.parse(text) else { continue }
            guard let second else { return (day, nil) }
            let clock = [second / 3600, second / 60 % 60, second % 60].map { CalendarText.padded($0, 2) }.joined(
                separator: ":")
            guard let moment = try? Moment(parsing: "\(day)T\(clock)", in: zone) else { continue }
            return (day, moment)
        }
        let formats = mapping.patterns.map(\.text).joined(separator: ", ")
        throw fault(
            field,
            "\"\(text.prefix(60))\" is no day or time of the years 1 to 9999 in \(formats). Add its format to 'dateFormats'."
        )
    }
}

extension TravelPlace {
    /// Three capital letters are a code, all else is a name.
    fileprivate init(place: String) {
        let isCode = place.utf8.count == 3 && place.utf8.allSatisfy { 0x41...0x5A ~= $0 }
        self.init(name: isCode ? "" : place, code: isCode ? place : "")
    }
}
