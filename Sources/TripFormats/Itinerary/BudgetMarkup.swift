import TripStore

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
            text += "<div><dt>\(name)</dt><dd>\(HTML.plain(Self.words(status)))</dd></div>\n"
        }
        return text + "</dl>\n</section>\n"
    }

    /// As in "420.00 EUR of 600.00 EUR planned, 180.00 EUR left, 100.00 EUR paid".
    private static func words(_ status: BudgetStatus) -> String {
        func words(_ amount: Int128) -> String { CostSum(currency: status.currency, minorUnits: amount).words }
        let left = status.left < 0 ? "\(words(-status.left)) too much" : "\(words(status.left)) left"
        let paid = status.paid == 0 ? "" : ", \(words(status.paid)) paid"
        return "\(words(status.planned)) of \(words(status.budgeted)) planned, \(left)\(paid)"
    }
}
