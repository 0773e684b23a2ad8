/// Reads calendars (RFC 5545): content lines, components, and what can be said of them without a time zone database.
///
/// Lines that are none are left out and counted, as are properties and components that nobody asks for. What breaks the structure is
/// refused: a file that does not begin as a calendar, or is cut off. Time and memory are linear in the bytes.
public struct CalendarReader: Sendable {
    public var limits = CalendarLimits()

    public init(limits: CalendarLimits = CalendarLimits()) { self.limits = limits }

    /// Every VCALENDAR of a file, in order; at least one.
    ///
    /// Throws `TextFormatError`: `empty`, `wrongEncoding`, `wrongFormat`, `malformed`, `truncated` or `tooLarge`.
    public func components(of bytes: [UInt8]) throws(TextFormatError) -> (
        calendars: [CalendarComponent], warnings: CountedWarnings
    ) { try components(of: bytes) { _ throws(TextFormatError) in } }

    /// - Parameter say: receives which part of the bytes is read, from 0 to 1; what it throws ends the reading.
    func components(of bytes: [UInt8], saying say: (Double) throws(TextFormatError) -> Void) throws(TextFormatError)
        -> (
            calendars: [CalendarComponent], warnings: CountedWarnings
        )
    {
        let text = try TextBytes(bytes, most: limits.largestFile, isChecked: false)
        var reader = ComponentReader(TextSource(text.bytes), limits)
        var calendars: [CalendarComponent] = []
        var components: [CalendarComponent] = []
        while let part = try reader.next() {
            switch part {
            case .component(let component, let offset):
                components.append(component)
                try say(Double(offset) / Double(bytes.count))
            case .calendar(var calendar):
                (calendar.components, components) = (components, [])
                calendars.append(calendar)
            }
        }
        return (calendars, reader.warnings)
    }
}

/// Reads the components of the calendars of a file one after another.
struct ComponentReader {
    enum Part {
        /// A component of the calendar that is open, and the index of the first byte of its BEGIN.
        case component(CalendarComponent, Int)
        /// A calendar that ends, without its components.
        case calendar(CalendarComponent)
    }

    private let source: TextSource
    private let limits: CalendarLimits
    private var lines: ContentLines
    private(set) var warnings = CountedWarnings()
    private var hasCalendar = false
    private var open: [CalendarComponent] = []
    private var start = 0
    private var count = 0

    init(_ source: TextSource, _ limits: CalendarLimits) {
        (self.source, self.limits) = (source, limits)
        lines = ContentLines(source, limits)
    }

    /// Reads from the BEGIN of a component of a calendar on.
    init(_ source: TextSource, _ limits: CalendarLimits, from index: Int, line: Int) {
        (self.source, self.limits) = (source, limits)
        lines = ContentLines(source, limits, from: index, line: line)
        open = [CalendarComponent(name: "VCALENDAR", line: line)]
    }

    /// The properties of the calendar that is open, as far as they are read.
    var calendar: CalendarComponent? { open.first }

    /// Nil at the end of the file. Throws `TextFormatError` as `CalendarReader` does.
    mutating func next() throws(TextFormatError) -> Part? {
        while let line = try lines.next() {
            guard case .property(let property) = line else {
                guard case .malformed(let reason, let place) = line else { continue }
                if open.isEmpty, !hasCalendar { throw wrongFormat(place) }
                warnings.add("a line is no property, for \(reason)", at: place.line)
                continue
            }
            let place = TextPlace(line: property.line)
            if property.name == "BEGIN" {
                try begin(Self.name(property), place)
            } else if property.name == "END" {
                guard let last = open.popLast() else { throw wrongFormat(place) }
                guard last.name == Self.name(property) else {
                    throw TextFormatError(
                        .malformed,
                        "END:\(property.value.prefix(40)) does not end \(last.name), which begins in line \(last.line). The file was "
                            + "damaged: export it again.", at: place)
                }
                if open.isEmpty {
                    hasCalendar = true
                    return .calendar(last)
                }
                if open.count == 1 { return .component(last, start) }
                open[open.count - 1].components.append(last)
            } else if open.isEmpty {
                guard hasCalendar else { throw wrongFormat(place) }
                warnings.add("a line stands outside of a calendar", at: property.line)
            } else {
                guard open[open.count - 1].properties.count < limits.mostProperties else {
                    throw TextFormatError(
                        .tooLarge,
                        "\(open[open.count - 1].name) has over \(limits.mostProperties) properties, and that is the most that is read. "
                            + "Remove some of them.", at: place)
                }
                open[open.count - 1].properties.append(property)
            }
        }
        if let last = open.last {
            throw TextFormatError(
                .truncated,
                "The file ends before the END of \(last.name), which begins in line \(last.line). It was cut off: get it again.",
                at: lines.place)
        }
        return nil
    }

    private mutating func begin(_ name: String, _ place: TextPlace) throws(TextFormatError) {
        guard !open.isEmpty || name == "VCALENDAR" else { throw wrongFormat(place) }
        count += 1
        guard count <= limits.mostComponents else {
            throw TextFormatError(
                .tooLarge,
                "It has over \(limits.mostComponents) events and other components. Split it into smaller files.",
                at: place)
        }
        guard open.count < limits.deepest else {
            throw TextFormatError(
                .tooLarge, "Components are nested over \(limits.deepest) deep. Remove the inner ones.",
                at: place)
        }
        if open.count == 1 { start = lines.start }
        open.append(CalendarComponent(name: name, line: place.line))
    }

    private static func name(_ property: CalendarProperty) -> String {
        property.value.split(separator: " ").joined(separator: " ").uppercased()
    }

    /// Of a file in another encoding that is said.
    private func wrongFormat(_ place: TextPlace) -> TextFormatError {
        if let fault = source.firstFault() {
            return TextBytes.notUTF8(source[fault], at: TextPlace(of: fault - source.startIndex, in: source))
        }
        return TextFormatError(
            .wrongFormat, "It is no calendar: BEGIN:VCALENDAR is expected. Give a file in the format iCalendar.",
            at: place)
    }
}
