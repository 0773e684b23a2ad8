import TripStore

/// The checklists of a trip on a page, with boxes to tick by hand.
struct ChecklistMarkup {
    private let document: TripDocument
    private let level: Int

    init(_ document: TripDocument, level: Int) { (self.document, self.level) = (document, level) }

    /// Passes a section for each list to `write`.
    func write(_ anchor: String, to write: (String) throws -> Void) throws {
        let entries = Dictionary(grouping: document.contents.entries, by: \.list)
        for (number, list) in document.contents.checklists.enumerated() {
            let entries = entries[list.id] ?? []
            let done = entries.count { $0.isDone }
            let name = list.name.isEmpty ? "Checklist" : HTML.name(list.name)
            let count = entries.isEmpty ? "" : "\(done) of \(entries.count) done"
            try write(HTML.sectionHead("\(anchor)-list-\(number)", name, level: level, line: count))
            try write(HTML.lines(list.notes, class: "note"))
            if !entries.isEmpty {
                try write("<ul class=\"checks\" role=\"list\">\n")
                for entry in entries { try write(line(entry)) }
                try write("</ul>\n")
            }
            try write("</section>\n")
        }
    }

    private func line(_ entry: ChecklistEntry) -> String {
        let assignee = entry.assignee.flatMap { document.travellers[$0]?.name } ?? ""
        let facts = [HTML.name(assignee), entry.dueDay.map { "until \(HTML.plain(DayText.words($0)))" } ?? ""]
            .filter { !$0.isEmpty }
        let soft = facts.isEmpty ? "" : " <span class=\"soft\">(\(facts.joined(separator: ", ")))</span>"
        // The mark is a picture for eyes; the class and the word say the same.
        let mark =
            "<span class=\"box\" role=\"img\" aria-label=\"\(entry.isDone ? "done" : "open")\">\(entry.isDone ? "☑" : "☐")</span>"
        return "<li\(entry.isDone ? " class=\"done\"" : "")>\(mark) \(HTML.name(entry.name))\(soft)\n"
            + HTML.lines(entry.notes, class: "note soft") + "</li>\n"
    }
}

/// The budgets of a trip on a page, and what is left of them.
struct BudgetMarkup {
    private let document: TripDocument
    private let level: Int

    init(_ document: TripDocument, level: Int) { (self.document, self.level) = (document, level) }

    /// Empty if there are none.
    func text(_ anchor: String) -> String {
        let statuses = BudgetStatus.all(document.contents.budgets, for: document.contents.items)
        guard !statuses.isEmpty else { return "" }
        var text = HTML.sectionHead("\(anchor)-budgets", "Budgets", level: level) + "<dl class=\"budgets\">\n"
        for status in statuses {
            let name = status.category.isEmpty ? "All" : HTML.name(status.category)
            text += "<div><dt>\(name)</dt><dd>\(HTML.plain(status.words))</dd></div>\n"
        }
        return text + "</dl>\n</section>\n"
    }
}
