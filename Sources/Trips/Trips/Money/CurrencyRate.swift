/// The worth of a unit of one currency in another, as people enter it for a trip.
///
/// A rate counts from its day on, until the day of the next one of its currencies; it serves both directions. Of two that are made
/// concurrently for one day the one that was written last counts.
public struct CurrencyRate: OwnEntity, BuiltInEntity {
    public let id: Identifier<CurrencyRate>
    /// The codes of both currencies, as in "NOK/EUR": a unit of the first is worth `rate` units of the second.
    public var pair = ""
    public var trip: Trip.ID?
    /// A decimal number above 0, as in "0.0875"; text, so that it is exact.
    public var rate = ""
    /// The day from which on it counts; nil for all days before that of another rate.
    public var day: Day?
    /// The source of the rate: a bank, a receipt.
    public var source = ""
    var state = StoredState()

    init(blank id: ID) { self.id = id }

    public init(
        id: ID = .new(), _ pair: String, _ rate: String, on day: Day? = nil, from source: String = "", in trip: Trip.ID
    ) {
        self.id = id
        self.pair = pair
        self.rate = rate
        self.day = day
        self.source = source
        self.trip = trip
    }

    static let builtInSchema = Schema<CurrencyRate>(
        store: 5, "rate",
        [
            Field(1, "pair", \.pair, isRequired: true) { currencies(of: $0) != nil }.help(
                .about(.money, "Two currencies, as NOK/EUR.")),
            .parent("trip", \.trip).help(.common("The trip.")),
            Field(3, "rate", \.rate, isRequired: true) { DecimalRatio($0) != nil }.help(
                .about(.money, "What one of the first currency is worth in the second, as 0.0875.")),
            Field(4, "day", \.day).help("The day from which on it counts."),
            Field(5, "source", \.source).help("Where it is from: a bank, a receipt."),
        ])

    /// The two currencies of a pair; nil for a text that names none, or one twice.
    static func currencies(of pair: String) -> (from: Currency, to: Currency)? {
        let codes = pair.split(separator: "/", omittingEmptySubsequences: false)
        guard codes.count == 2, let from = Currency(String(codes[0])), let to = Currency(String(codes[1])), from != to
        else { return nil }
        return (from, to)
    }

    /// Whether its rate is a number that is known here: another version may have written one with more digits.
    var isUsable: Bool { DecimalRatio(rate) != nil }

    /// An amount of one of its currencies in the other, rounded to its smallest unit, half of one away from 0; nil for an amount in any other,
    /// or one that is too large.
    func converted(_ amount: Money) -> Money? {
        guard let (from, to) = Self.currencies(of: pair), let ratio = DecimalRatio(rate) else { return nil }
        let isInverse = amount.currency == to
        guard isInverse || amount.currency == from else { return nil }
        let target = isInverse ? from : to
        guard let digits = amount.currency.minorDigits, let targetDigits = target.minorDigits else { return nil }
        let scale = (
            DecimalRatio.power(max(0, targetDigits - digits)), DecimalRatio.power(max(0, digits - targetDigits))
        )
        let (numerator, denominator) = isInverse ? (ratio.unit, ratio.units) : (ratio.units, ratio.unit)
        // At most 10^19 · 10^12 · 10^4.
        let product = Int128(amount.minorUnits) * numerator * scale.0
        let divisor = denominator * scale.1
        let (whole, rest) = product.quotientAndRemainder(dividingBy: divisor)
        let isRoundedUp = rest.magnitude * 2 >= divisor.magnitude
        return Int64(exactly: whole + (isRoundedUp ? product.signum() : 0)).map { Money(minorUnits: $0, target) }
    }
}

/// A decimal number above 0 as the quotient of two whole numbers.
private struct DecimalRatio {
    /// At most 10^12.
    let units: Int128
    /// A power of ten, at most 10^12.
    let unit: Int128

    static func power(_ digits: Int) -> Int128 { (0..<digits).reduce(1) { power, _ in power * 10 } }

    /// Nil for any other text, and for numbers of more than twelve digits.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { 48...57 ~= $0 } }),
            let digits = Int64(parts.map { String(decoding: $0, as: UTF8.self) }.joined()), digits > 0,
            text.utf8.count(where: { $0 != UInt8(ascii: ".") }) <= 12
        else { return nil }
        units = Int128(digits)
        unit = Self.power(parts.count == 2 ? parts[1].count : 0)
    }
}
