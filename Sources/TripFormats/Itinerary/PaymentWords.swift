package import TripStore

/// Payments in words, the same for the tool and for pages.
extension ItemPayment {
    /// As in "200.00 EUR, 50.00 EUR paid, 150.00 EUR unpaid"; nil for what neither costs anything nor is paid.
    package var words: String? {
        guard let price else {
            if let paid { return "\(paid) paid" }
            return status == .none ? nil : statusWords
        }
        if price.minorUnits < 0, price.minorUnits != .min {
            let amount = "refund of \(Money(minorUnits: -price.minorUnits, price.currency))"
            return "\(amount), \(status == .inFull ? "received" : status == .none ? "expected" : statusWords)"
        }
        guard status != .inFull, let paid, paid.minorUnits != 0 else { return "\(price), \(statusWords)" }
        let part = status == .deposit ? "deposit of \(paid) paid" : "\(paid) paid"
        return ["\(price)", part, unpaid?.unpaidWords ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private var statusWords: String {
        switch status {
        // Nothing more is to be paid of what is cancelled.
        case .none: cost == nil ? "nothing paid" : "unpaid"
        case .deposit: "deposit paid"
        case .inFull: "paid in full"
        default: "paid: \(status)"
        }
    }

    /// The words before the payer's name: nothing that is not paid reads as paid.
    package var payerWords: String {
        switch extent {
        case .nothing: "to be paid by"
        case .part: "deposit paid by"
        case .all: "paid by"
        }
    }
}

extension CostSum {
    /// The sum that is not paid, as in "150.00 EUR unpaid"; "" for 0, and as in "3.50 EUR to come back" where more
    /// is paid, or a refund is expected.
    package var unpaidWords: String {
        if minorUnits == 0 { return "" }
        if minorUnits > 0 { return "\(words) unpaid" }
        return "\(CostSum(currency: currency, minorUnits: -minorUnits).words) to come back"
    }
}

extension CostTotal {
    /// The part of the sum that is not paid: see `unpaid`.
    package var unpaidSum: CostSum { CostSum(currency: currency, minorUnits: unpaid) }
}

extension BudgetStatus {
    /// As in "420.00 EUR of 600.00 EUR planned, 180.00 EUR left, 100.00 EUR paid, 300.00 NOK not counted".
    package var words: String {
        func words(_ amount: Int128) -> String { CostSum(currency: currency, minorUnits: amount).words }
        let parts =
            ["\(words(planned)) of \(words(budgeted)) planned"]
            + [left < 0 ? "\(words(-left)) too much" : "\(words(left)) left"]
            + (paid == 0 ? [] : ["\(words(paid)) paid"]) + uncounted.map { "\($0.words) not counted" }
        return parts.joined(separator: ", ")
    }
}
