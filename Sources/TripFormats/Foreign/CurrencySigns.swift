import TripStore

/// The currencies that a code, a sign or a short name of an amount may mean.
enum CurrencySigns {
    /// Each sign, then the currency that it means wherever nothing else is said, or `?`, then others that have it.
    private static let table = """
        € EUR; £ GBP EGP FKP GIP LBP SDG SHP SSP SYP; ¥ ? JPY CNY; 円 JPY; 元 CNY; 圆 CNY; rmb CNY; yen JPY
        $ ? USD ARS AUD BBD BMD BND BSD BZD CAD CLP COP CVE DOP FJD GYD HKD JMD KYD LRD MXN NAD NIO NZD SBD SGD SRD TTD TWD UYU XCD
        us$ USD; a$ AUD; au$ AUD; c$ CAD; ca$ CAD; can$ CAD; nz$ NZD; hk$ HKD; s$ SGD; sg$ SGD; nt$ TWD; mx$ MXN; r$ BRL; cn¥ CNY; jp¥ JPY
        kr ? DKK ISK NOK SEK; kr. ? DKK ISK NOK SEK; nkr NOK; skr SEK; dkr DKK; ikr ISK; zł PLN; zl PLN; fr ? CHF XAF XOF XPF; fr. CHF; sfr CHF
        sfr. CHF; kč CZK; ft HUF; lei RON; лв BGN; лв. BGN; ₽ RUB; руб RUB; руб. RUB; ₴ UAH; грн UAH; ₺ TRY; tl TRY; ₪ ILS; ₩ ? KRW KPW; 원 KRW
        ฿ THB; ₫ VND; đ VND; ₱ ? PHP CUP; ₦ NGN; ₵ GHS; gh₵ GHS; ₡ CRC; ₲ PYG; ₸ KZT; ₾ GEL; ֏ AMD; ₼ AZN; ₮ MNT; ₭ LAK; ៛ KHR; ৳ BDT
        ₹ INR; rs ? INR LKR MUR NPR PKR SCR; rs. ? INR LKR MUR NPR PKR SCR; rp IDR; rm MYR; r ZAR; s/ PEN; s/. PEN; kn HRK; din RSD; din. RSD
        euro EUR; euros EUR; dollar ? USD AUD CAD NZD; dollars ? USD AUD CAD NZD
        """

    private static let meanings: [String: (usual: Currency?, all: [Currency])] = {
        var meanings: [String: (usual: Currency?, all: [Currency])] = [:]
        for entry in table.split(whereSeparator: { ";\n".contains($0) }) {
            let words = entry.split(separator: " ")
            guard let sign = words.first, let usual = words.dropFirst().first else { continue }
            let all = words.dropFirst().compactMap { Currency(String($0)) }
            meanings[String(sign)] = (Currency(String(usual)), all)
        }
        return meanings
    }()

    enum Meaning: Equatable {
        case currency(Currency)
        /// One of several, and nothing says which.
        case ambiguous([Currency])
        case unknown
    }

    /// The currency that a text means. A sign that several currencies have is the preferred one if that has it.
    static func meaning(of text: String, preferring preferred: Currency) -> Meaning {
        let text = text.folded
        if text.utf8.count == 3, let currency = Currency(text) { return .currency(currency) }
        guard let found = meanings[text] else { return .unknown }
        if found.all.contains(preferred) { return .currency(preferred) }
        return found.usual.map { .currency($0) } ?? .ambiguous(found.all)
    }
}
