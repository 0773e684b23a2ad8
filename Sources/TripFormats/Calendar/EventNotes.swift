/// The texts of an event as people read them.
struct EventNotes {
    /// Prefixes of properties that programs write for themselves.
    private static let silentPrefixes = [
        "X-ALT-DESC", "X-APPLE-", "X-DAVMAIL-", "X-EVOLUTION-", "X-GOOGLE-", "X-KDE-", "X-LIC-", "X-LOTUS-",
        "X-MICROSOFT-", "X-MOZ-", "X-MS-", "X-NEXTCLOUD-", "X-ORACLE-", "X-OUTLOOK-", "X-RADICALE-", "X-SOGO-",
        "X-TINE20-", "X-WR-", "X-ZIMBRA-", CalendarNames.prefix,
    ]

    /// SUMMARY in one line.
    let summary: String
    /// DESCRIPTION, or what programs write in its place.
    let description: String

    init(_ event: CalendarComponent) {
        let name = PlainText.of(event.property("SUMMARY")?.text ?? "")
        summary = name.split(whereSeparator: \.isNewline).map(\.trimmed).joined(separator: " ").trimmed
        let texts = ["DESCRIPTION", "STYLED-DESCRIPTION", "X-ALT-DESC"].lazy.map { name in
            event.property(name).map { Self.plain($0.text) } ?? ""
        }
        description = texts.first { !$0.isEmpty } ?? ""
    }

    /// Without markup, and without lines that programs write for programs.
    private static func plain(_ text: String) -> String {
        let plain = PlainText.of(text).trimmed
        guard !MachineText.isJSON(plain) else { return "" }
        let lines = plain.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.contains(where: { isForPrograms(String($0)) }) else { return plain }
        return lines.filter { !isForPrograms(String($0)) }.joined(separator: "\n").trimmed
    }

    private static func isForPrograms(_ line: String) -> Bool { MachineText.isJSON(line) || MachineText.isRuler(line) }

    /// The description without lines that all events repeat, then the other properties.
    func text(without repeated: RepeatedLines, _ others: [String]) -> String {
        let own = repeated.removed(from: description)
        return ([own] + [others.joined(separator: "\n")]).filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// Whether a property that has no place of its own says something to people.
    static func isNotable(_ property: CalendarProperty) -> Bool {
        !property.isInline && !silentPrefixes.contains { property.name.hasPrefix($0) }
            && !(property.name.hasPrefix("X-") && MachineText.isSilent(PlainText.of(property.text)))
            && !MachineText.isJSON(PlainText.of(property.text))
    }
}

/// Lines that every event of a calendar has in its description: an exporter's own words.
struct RepeatedLines {
    /// The least number of events that repeat a line.
    private static let fewest = 3
    /// The length below which a line may be about each of the events.
    private static let shortest = 24

    private(set) var lines: Set<String> = []

    init() {}

    /// O(bytes of the descriptions).
    /// - Parameter events: those of other programs; of several with one UID one counts.
    init(of events: [CalendarEvent]) {
        var reading = Reading()
        for event in events { reading.add(event) }
        self = reading.lines
    }

    /// Looks at one event after another.
    struct Reading {
        private var uids = KnownHashes()
        private var count = 0
        private var common: Set<String>?
        private var hasOthers = false
        /// Whether nothing is common to all events.
        private(set) var isOver = false

        mutating func add(_ event: CalendarEvent) {
            guard !isOver, !uids.contains(event.uid) else { return }
            isOver = CalendarNames.entity(event.uid) != nil
            let all = Set(RepeatedLines.lines(of: EventNotes(event.component).description))
            guard !isOver, !all.isEmpty else { return }
            _ = uids.insert(event.uid)
            count += 1
            let found = all.filter(RepeatedLines.isOfExporter)
            let rest = common?.intersection(found) ?? found
            isOver = rest.isEmpty
            if rest.count < all.count { hasOthers = true }
            common = rest
        }

        var lines: RepeatedLines {
            var repeated = RepeatedLines()
            guard !isOver, count >= RepeatedLines.fewest, let common else { return repeated }
            // Where the events say nothing else it may be about them, unless it leads to a page.
            repeated.lines = hasOthers ? common : common.filter { $0.contains("://") || $0.contains("www.") }
            return repeated
        }
    }

    private static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map(\.trimmed)
    }

    /// A sentence, or an address with words, that names no booking.
    private static func isOfExporter(_ line: String) -> Bool {
        line.utf8.count >= shortest && line.contains(" ") && ConfirmationNumber.find(in: line) == nil
    }

    func removed(from text: String) -> String {
        guard !lines.isEmpty else { return text }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .filter { !lines.contains($0.trimmed) }.joined(separator: "\n").trimmed
    }
}
