import Events
import TripStore

/// One row of a table, as an item.
struct TableRow {
    /// The settings that all rows of a table share.
    struct Context {
        let columns: TableColumns
        let mapping: TableMapping
        let zone: String
        let currency: Currency
        /// Before the fraction of an amount.
        let decimal: Character
    }

    let cells: [DelimitedReader.Cell]
    let context: Context

    init(_ cells: [DelimitedReader.Cell], _ context: Context) { (self.cells, self.context) = (cells, context) }

    var columns: TableColumns { context.columns }
    private var mapping: TableMapping { context.mapping }

    /// Throws for a row with fewer cells than the header, or than the first row without a header, and for cells beyond the header's.
    func checkCount(isLast: Bool) throws(TextFormatError) {
        let counts =
            "The row has \(cells.count.counted("cell")), and the \(mapping.hasHeader ? "header" : "first row") \(columns.count)."
        if cells.count < columns.count {
            let advice =
                isLast
                ? "If the file was cut off, get it again; else add the cells that are missing."
                : "Check the delimiter and the quotes, and add the cells that are missing."
            throw TextFormatError(.malformed, "\(counts) \(advice)", at: cells[cells.count - 1].place)
        }
        // Without a header rows may have more cells than any column that is mapped.
        let extra = cells.dropFirst(max(columns.count, columns.names.count)).first { !$0.text.plain.isEmpty }
        guard mapping.hasHeader, let extra else { return }
        throw TextFormatError(.malformed, "\(counts) Check the delimiter and the quotes.", at: extra.place)
    }

    /// The texts of the key columns; without such the kind, the name and the start.
    func externalID() throws(TextFormatError) -> String {
        guard columns.key.isEmpty else {
            let texts = columns.key.map { $0 < cells.count ? cells[$0].text.trimmed : "" }
            guard texts.contains(where: { !$0.isEmpty }) else {
                throw TextFormatError(
                    .malformed, "The row has no id. Give it one, or name other columns as the id.", at: cells[0].place)
            }
            return texts.joined(separator: "\u{1F}")
        }
        return [TableMapping.Field.kind, .name, .start].map { text($0) }.joined(separator: "\u{1F}")
    }

    func text(_ field: TableMapping.Field) -> String {
        guard let indexes = columns.fields[field] else { return mapping.constants[field] ?? "" }
        let texts = indexes.compactMap { $0 < cells.count ? cells[$0].text.trimmed : nil }.filter { !$0.isEmpty }
        return texts.isEmpty ? mapping.constants[field] ?? "" : texts.joined(separator: " ")
    }

    func isMapped(_ field: TableMapping.Field) -> Bool {
        columns.fields[field] != nil || mapping.constants[field] != nil
    }

    private func optional(_ field: TableMapping.Field) -> String? { isMapped(field) ? text(field) : nil }

    /// An error about the cell of a field, which it names.
    func fault(_ field: TableMapping.Field, _ message: String) -> TextFormatError {
        guard let index = columns.fields[field]?.first(where: { $0 < cells.count }) else {
            return TextFormatError(.malformed, message, at: cells[0].place)
        }
        return TextFormatError(.malformed, "In \(columns.name(index)), \(message)", at: cells[index].place)
    }

    func item() throws(TextFormatError) -> ForeignItem {
        let (kind, mode) = try kind()
        var item = ForeignItem(kind, name: text(.name))
        guard !item.name.isEmpty else { throw fault(.name, "the row has no name. Give it one.") }
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
        if let mode, text(.mode).isEmpty { item.mode = mode }
        item.carrier = optional(.carrier)
        item.number = optional(.number)
        item.seat = optional(.seat)
        item.departure = optional(.from).map { TravelPlace(place: $0) }
        item.arrival = optional(.to).map { TravelPlace(place: $0) }
        return item
    }

    /// The kind that a cell says, by the mapping, else by a word for one, as "Flight"; and the means of transport in that word.
    private func kind() throws(TextFormatError) -> (kind: ForeignItem.Kind, mode: TransportationMode?) {
        let text = text(.kind)
        guard !text.isEmpty else { return (.activity, nil) }
        let named = mapping.words[.kind]?[text.folded].flatMap { ForeignItem.Kind(rawValue: $0) }
        if let kind = named ?? mapping.kinds[text.folded] { return (kind, nil) }
        let words = text.prefix(60).split { !($0.isLetter || $0 == "-") }.map { KindWords.folded($0) }
        // Most cells are one word.
        switch KindWords.meaning(of: KindWords.folded(text))
            ?? KindWords.reading(String(text.prefix(60)), words).meaning
        {
        case .travel(let mode)?: return (.transportation, mode)
        case .stay?: return (.lodging, nil)
        case .activity?: return (.activity, nil)
        case nil: throw fault(.kind, "\"\(text.prefix(60))\" is no kind: say with 'kinds' in the mapping what it is.")
        }
    }

    private func choice<Value: OpenEnumeration>(
        _ field: TableMapping.Field, _ type: Value.Type
    ) throws(TextFormatError) -> Value? {
        guard let text = optional(field) else { return nil }
        if text.isEmpty { return Value(rawValue: 0) }
        guard let value = Value(named: mapping.words[field]?[text.folded] ?? text) else {
            throw fault(
                field,
                "\"\(text.prefix(60))\" is none of \(Value.names): say with 'values' in the mapping what it is.")
        }
        return value
    }

    private func address() throws(TextFormatError) -> Address?? {
        guard isMapped(.address) || isMapped(.latitude) else { return nil }
        var address = Address(formatted: text(.address))
        let texts = (text(.latitude), text(.longitude))
        if !texts.0.isEmpty || !texts.1.isEmpty {
            guard let latitude = Double(Self.degrees(texts.0)), let longitude = Double(Self.degrees(texts.1)),
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

    /// Degrees with a point before the fraction: no sign stands between groups of so few digits.
    private static func degrees(_ text: String) -> String { text.plain.replacing(",", with: ".") }
}

extension TravelPlace {
    /// Three capital letters are a code, all else is a name.
    fileprivate init(place: String) {
        let isCode = place.utf8.count == 3 && place.utf8.allSatisfy { 0x41...0x5A ~= $0 }
        self.init(name: isCode ? "" : place, code: isCode ? place : "")
    }
}
