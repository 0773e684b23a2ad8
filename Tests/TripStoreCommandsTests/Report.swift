import Foundation
import StoreSupport
import Testing

/// A report, written by the tool and parsed like the page's own script does.
struct Report {
    struct Change: Equatable {
        let field: String
        let old: String?
        let new: String
    }

    struct Event {
        let author: String
        let verb: String
        let entity: String
        let name: String
        let changes: [Change]
    }

    struct Conflict: Equatable {
        let old: String?
        let new: String
        let author: String
        let winner: String
    }

    private struct Page: Decodable {
        let strings: [String]
        let replicas: [[Cell]]
        let entities: [[Cell]]
        let log: [Int]
        let conflicts: [Int]
    }

    private enum Cell: Decodable {
        case number(Int)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        var number: Int? { if case .number(let number) = self { number } else { nil } }
        var text: String? { if case .text(let text) = self { text } else { nil } }
    }

    let file: String
    /// The tool's output.
    let printed: [String: Any]
    let html: String
    /// The page's data, as text.
    let data: String
    private(set) var events: [Event] = []
    private(set) var conflicts: [Conflict] = []
    /// The names of entities and the trips that they belonged to, by id.
    private(set) var names: [String: String] = [:]
    private(set) var trips: [String: [String]] = [:]
    /// The names of the replicas' devices.
    let devices: [String]

    init(_ tool: Tool, _ arguments: String...) async throws {
        file = tool.folder.path("\(UUID().uuidString).html")
        let outcome = await tool.run(["audit", "report", file, "--json"] + arguments)
        #expect(outcome.code == 0, "\(outcome.error)")
        printed = try outcome.object()
        html = try String(contentsOfFile: file, encoding: .utf8)
        let start = try #require(html.range(of: #"<script type="application/json" id="data">"#)).upperBound
        let end = try #require(html.range(of: "</script>", range: start..<html.endIndex)).lowerBound
        data = String(html[start..<end])
        let page = try JSONDecoder().decode(Page.self, from: Data(data.utf8))
        devices = page.replicas.compactMap { $0[1].number.map { page.strings[$0] } }
        let ids = page.entities.map { $0[1].text ?? "" }
        for entity in page.entities {
            let id = entity[1].text ?? ""
            names[id] = entity[2].number.map { page.strings[$0] }
            trips[id] = entity[3...].compactMap { $0.number.map { ids[$0] } }
        }
        readEvents(page, ids)
    }

    private mutating func readEvents(_ page: Page, _ ids: [String]) {
        let text = { (number: Int) in page.strings[number] }
        var at = 0
        while at < page.log.count {
            let (author, count) = (page.log[at + 5], page.log[at + 9])
            at += 10
            for _ in 0..<count {
                let (verb, entity, changes) = (page.log[at], page.log[at + 1], page.log[at + 2])
                at += 3
                let read = (0..<changes).map { number in
                    let place = at + 3 * number
                    let old = page.log[place + 1]
                    return Change(
                        field: text(page.log[place]), old: old < 0 ? nil : text(old), new: text(page.log[place + 2]))
                }
                at += 3 * changes
                events.append(
                    Event(
                        author: text(author), verb: text(verb), entity: ids[entity], name: names[ids[entity]] ?? "",
                        changes: read))
            }
        }
        for place in stride(from: 0, to: page.conflicts.count, by: 7) {
            let row = page.conflicts[place..<place + 7].map(\.self)
            // For an edit of a deleted entity, the whole event.
            let change = row[1] < 0 ? nil : events[row[0]].changes[row[1]]
            conflicts.append(
                Conflict(
                    old: change?.old, new: change?.new ?? "all", author: text(row[5]), winner: text(row[6])))
        }
    }
}
