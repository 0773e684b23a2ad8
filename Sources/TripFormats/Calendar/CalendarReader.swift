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
    ) {
        let text = try TextBytes(bytes, most: limits.largestFile, isChecked: false)
        var lines = ContentLines(text.bytes, limits)
        var warnings = CountedWarnings()
        var calendars: [CalendarComponent] = []
        var open: [CalendarComponent] = []
        var count = 0
        while let line = try lines.next() {
            guard case .property(let property) = line else {
                guard case .malformed(let reason, let place) = line else { continue }
                if open.isEmpty, calendars.isEmpty { throw Self.wrongFormat(place, text) }
                warnings.add("a line is no property, for \(reason)", at: place.line)
                continue
            }
            let place = TextPlace(line: property.line)
            if property.name == "BEGIN" {
                let name = Self.name(property)
                guard !open.isEmpty || name == "VCALENDAR" else { throw Self.wrongFormat(place, text) }
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
                open.append(CalendarComponent(name: name, line: property.line))
            } else if property.name == "END" {
                guard let last = open.popLast() else { throw Self.wrongFormat(place, text) }
                guard last.name == Self.name(property) else {
                    throw TextFormatError(
                        .malformed,
                        "END:\(property.value.prefix(40)) does not end \(last.name), which begins in line \(last.line). The file was "
                            + "damaged: export it again.", at: place)
                }
                if open.isEmpty { calendars.append(last) } else { open[open.count - 1].components.append(last) }
            } else if open.isEmpty {
                guard !calendars.isEmpty else { throw Self.wrongFormat(place, text) }
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
        return (calendars, warnings)
    }

    private static func name(_ property: CalendarProperty) -> String {
        property.value.split(separator: " ").joined(separator: " ").uppercased()
    }

    /// Of a file in another encoding that is said.
    private static func wrongFormat(_ place: TextPlace, _ text: TextBytes) -> TextFormatError {
        do throws(TextFormatError) {
            try TextBytes.check(text.bytes) { TextPlace(of: $0, in: text.bytes) }
        } catch { return error }
        return TextFormatError(
            .wrongFormat, "It is no calendar: BEGIN:VCALENDAR is expected. Give a file in the format iCalendar.",
            at: place)
    }
}

/// Warnings of one kind, counted: of each the first line of the file is named.
public struct CountedWarnings: Hashable, Sendable {
    private var counts: [String: (first: Int, count: Int)] = [:]
    private var order: [String] = []
    /// How many records are left out.
    private(set) var skipped = 0
    /// Why the first of these is, with its line.
    private(set) var firstFault: String?

    public init() {}

    /// Counts so many records that are left out, and warns of them once.
    mutating func leaveOut(_ reason: String, _ count: Int = 1, at line: Int) {
        skipped += count
        if count > 0 { firstFault = firstFault ?? "line \(line): \(reason)" }
        add(reason, at: line)
    }

    public mutating func add(_ text: String, at line: Int) {
        if let known = counts[text] {
            counts[text] = (known.first, known.count + 1)
        } else {
            counts[text] = (line, 1)
            order.append(text)
        }
    }

    public mutating func add(_ others: CountedWarnings) {
        skipped += others.skipped
        firstFault = firstFault ?? others.firstFault
        for text in others.order {
            guard let other = others.counts[text] else { continue }
            if let known = counts[text] {
                counts[text] = (known.first, known.count + other.count)
            } else {
                counts[text] = other
                order.append(text)
            }
        }
    }

    public var isEmpty: Bool { order.isEmpty }

    /// The faults in words, as "line 12: a line is no property, for a colon is missing (3 times)", in the order of their first lines.
    public var texts: [String] {
        order.compactMap { text in
            counts[text].map { "line \($0.first): \(text)" + ($0.count > 1 ? " (\($0.count) times)" : "") }
        }
    }

    public static func == (a: CountedWarnings, b: CountedWarnings) -> Bool { a.texts == b.texts }
    public func hash(into hasher: inout Hasher) { hasher.combine(texts) }
}
