/// An exact sum of money in one currency.
public struct CostSum: Hashable, Sendable {
    public let currency: Currency
    /// In the currency's smallest unit. Wider than the amounts, so that no sum overflows.
    public let minorUnits: Int128

    public init(currency: Currency, minorUnits: Int128) {
        self.currency = currency
        self.minorUnits = minorUnits
    }
}
