import TripStore

extension TableRow {
    func cost() throws(TextFormatError) -> Money?? {
        guard isMapped(.cost) else { return nil }
        let text = text(.cost)
        guard !text.isUnknown else { return .some(nil) }
        guard let amount = AmountText(text, decimal: context.decimal) else {
            throw fault(
                .cost,
                "\"\(text.prefix(60))\" is no amount with \"\(context.decimal)\" before its fraction and signs between groups of "
                    + "three digits. Name the other one as 'decimalSeparator' if the fraction follows that.")
        }
        let column = self.text(.currency)
        var currency = column.isUnknown ? nil : try self.currency(column, .currency, preferring: context.currency)
        for sign in amount.currencies {
            let named = try self.currency(sign, .cost, preferring: currency ?? context.currency)
            guard currency == nil || currency == named else {
                throw fault(
                    .cost,
                    "\"\(text.prefix(60))\" is in \(named), and the row says \(currency ?? named). Correct one of them."
                )
            }
            currency = named
        }
        let found = currency ?? context.currency
        do throws(ValidationError) {
            return .some(try Money(parsing: amount.exact(decimals: found.minorDigits ?? 0), found))
        } catch {
            throw fault(.cost, error.message)
        }
    }

    /// The currency of a code or a sign.
    /// - Parameter preferred: taken for a sign of several currencies that it has.
    private func currency(
        _ text: String, _ field: TableMapping.Field, preferring preferred: Currency
    ) throws(TextFormatError) -> Currency {
        if let code = context.mapping.words[.currency]?[text.folded], let currency = Currency(code) { return currency }
        switch CurrencySigns.meaning(of: text, preferring: preferred) {
        case .currency(let currency): return currency
        case .ambiguous(let currencies):
            throw fault(
                field,
                "\"\(text.prefix(60))\" may be \(currencies.map(\.code).joined(separator: ", ")). Say with 'values' in the mapping which it "
                    + "is, or name it with --currency.")
        case .unknown: throw fault(field, "\"\(text.prefix(60))\" is no currency of ISO 4217, as EUR.")
        }
    }
}
