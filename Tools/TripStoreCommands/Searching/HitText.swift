import Foundation
import TripStore

/// What a search has found, in words, in JSON and as values with commas between them.
struct HitText {
    private let hit: SearchHit

    init(_ hit: SearchHit) { self.hit = hit }

    // MARK: For people

    /// How many characters are shown before the first place in a long text, and after it.
    private static let around = 32

    /// The name, and behind it the first other text with something found, with marks around it: `Hotel Avenida · notes: near the [tram] stop`.
    var words: String {
        let ofName = hit.passages.first { $0.field == .name }
        let name = ofName.map { Self.marked($0, isWhole: true) } ?? hit.name
        let other = hit.passages.first { $0.field != .name }.map { passage in
            "\(passage.fieldName.isEmpty ? "" : "\(passage.fieldName): ")\(Self.marked(passage, isWhole: false))"
        }
        return [name, other ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// A text with its places in brackets, cut to what is around the first one unless `isWhole`.
    private static func marked(_ passage: SearchHit.Passage, isWhole: Bool) -> String {
        let text = passage.text
        guard let first = passage.ranges.first else { return text }
        var (start, end) = (text.startIndex, text.endIndex)
        if !isWhole {
            start = text.index(first.lowerBound, offsetBy: -around, limitedBy: start) ?? start
            end = text.index(first.upperBound, offsetBy: 2 * around, limitedBy: end) ?? end
        }
        var shown = start == text.startIndex ? "" : "…"
        var position = start
        for range in passage.ranges where range.lowerBound >= position && range.upperBound <= end {
            shown += "\(text[position..<range.lowerBound])[\(text[range])]"
            position = range.upperBound
        }
        shown += text[position..<end]
        if end < text.endIndex { shown += "…" }
        return shown.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    // MARK: For programs

    func json(next: PageCursor?) -> JSON {
        .object(
            EntityText.members(hit.entity, hit.name) + [
                ("trip", .optional(hit.trip?.uuid.uuidString)), ("score", .integer(hit.score)),
                ("passages", .array(hit.passages.map(Self.json))), ("next", .optional(next?.description)),
            ])
    }

    private static func json(_ passage: SearchHit.Passage) -> JSON {
        let utf8 = passage.text.utf8
        let places = passage.ranges.map { range in
            JSON.object([
                ("start", .integer(utf8.distance(from: utf8.startIndex, to: range.lowerBound))),
                ("end", .integer(utf8.distance(from: utf8.startIndex, to: range.upperBound))),
            ])
        }
        return .object([
            ("field", .string(passage.fieldName)), ("text", .string(passage.text)), ("places", .array(places)),
        ])
    }

    static let columns = ["kind", "id", "name", "trip", "score", "field", "text"]

    var cells: [CSVTable.Cell] {
        let passage = hit.passages.first
        return [
            .text(hit.entity.kindWords), .text(hit.entity.id.uuidString), .text(hit.name),
            .optional(hit.trip?.uuid.uuidString), .integer(hit.score), .optional(passage?.fieldName),
            .optional(passage?.text),
        ]
    }
}
