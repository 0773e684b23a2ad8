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
        let text = order.count < Self.mostTexts || counts[text] != nil ? text : "there are further warnings"
        if let known = counts[text] {
            counts[text] = (known.first, known.count + 1)
        } else {
            counts[text] = (line, 1)
            order.append(text)
        }
    }

    /// Warnings of so many kinds are kept, as of names that a file makes up.
    private static let mostTexts = 10_000

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
