/// A currency, by its code in ISO 4217.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
    /// Three capital letters for a currency; otherwise the text as written.
    public let code: String

    /// The currency of that code, in either case; nil if ISO 4217 has none.
    public init?(_ code: String) {
        guard code.isVisibleASCII else { return nil }
        self.init(unchecked: code.uppercased())
        guard isKnown else { return nil }
    }

    /// Keeps any code: for values written by others. Validation refuses unknown codes.
    package init(unchecked code: String) { self.code = code }

    /// Whether ISO 4217 has it.
    package var isKnown: Bool { minorDigits != nil }

    /// How many decimals the currency has; nil if it is not known.
    public var minorDigits: Int? { code.isVisibleASCII ? Self.minorDigits[code] : nil }

    public var description: String { code }
}

extension Currency: ExpressibleByStringLiteral {
    /// A code in source code; kept unchecked, so a wrong one is refused by validation.
    public init(stringLiteral code: String) { self.init(unchecked: code) }
}

extension Currency {
    /// Every currency in use, in the order of their codes.
    public static let all: [Currency] = minorDigits.keys.sorted().map { Currency(unchecked: $0) }

    /// The codes of `all`, looked up by bytes.
    static let codes = KnownNames(minorDigits.keys)

    /// The decimals of each currency of ISO 4217, of funds codes, and of those withdrawn since 2020.
    private static let minorDigits: [String: Int] = {
        let codes: [(digits: Int, codes: String)] = [
            (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
            (
                2,
                """
                AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF \
                CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ \
                GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD \
                MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD \
                RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH \
                USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG ZWL
                """
            ),
            (3, "BHD IQD JOD KWD LYD OMR TND"),
            (4, "CLF UYW"),
        ]
        var table: [String: Int] = [:]
        for (digits, codes) in codes {
            for code in codes.split(separator: " ") { table[String(code)] = digits }
        }
        return table
    }()
}
