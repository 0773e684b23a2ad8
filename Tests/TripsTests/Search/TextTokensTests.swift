import Testing

@testable import Trips

@Suite("Tokens of a text")
struct TextTokensTests {
    /// Each token with its position.
    private func tokens(_ text: String) -> [String] {
        let found = TextTokens(of: text)
        return found.tokens.map { "\($0.position) " + String(decoding: found.bytes(of: $0), as: UTF8.self) }
    }

    @Test(
        "Words are runs of letters and digits, folded; marks and signs of any kind part them",
        arguments: [
            ("", []), (" .,!? ", []), ("Tram 28", ["0 tram", "1 28"]), ("São-Jorge", ["0 sao", "1 jorge"]),
            ("O'Hare", ["0 o", "1 hare"]), ("E\u{301}vora", ["0 evora"]), ("Zu\u{AD}sammen", ["0 zusammen"]),
            ("TP551,LIS", ["0 tp551", "1 lis"]), ("a_b", ["0 a", "1 b"]), ("10€", ["0 10"]),
            ("ΜΟΥΣΕΊΟΣ", ["0 μουσειοσ"]),
            ("Москва", ["0 москва"]), ("תל־אביב", ["0 תל", "1 אביב"]), ("القاهرة", ["0 القاهرة"]),
            ("दिल्ली", ["0 दलली"]), ("თბილისი", ["0 თბილისი"]), ("Երևան", ["0 երեւան"]),
            ("서울", ["0 \u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}"]),
        ])
    func words(text: String, expected: [String]) {
        // The vowel sign of Delhi stays as it is no mark without a width.
        let expected = text == "दिल्ली" ? ["0 द\u{93F}लल\u{940}"] : expected
        #expect(tokens(text) == expected)
    }

    @Test(
        "Of scripts without spaces each character is one with the next, and the last of a run one alone",
        arguments: [
            ("東京都", ["0 東京", "1 京都", "2 都"]), ("京", ["0 京"]), ("東京 tower", ["0 東京", "1 京", "2 tower"]),
            ("a東b", ["0 a", "1 東", "2 b"]), ("ガイド", ["0 カイ", "1 イト", "2 ト"]), ("วัด", ["0 วด", "1 ด"]),
            ("🏖🚋", ["0 🏖🚋", "1 🚋"]),
        ])
    func unspaced(text: String, expected: [String]) { #expect(tokens(text) == expected) }

    @Test("A long word counts with its first 64 bytes, no character cut in two, and all of it is marked")
    func long() {
        for text in [String(repeating: "a", count: 500), String(repeating: "\u{1109}", count: 100)] {
            let found = TextTokens(of: text)
            #expect(found.tokens.count == 1)
            #expect(
                found.tokens.allSatisfy {
                    $0.range.count <= TextTokens.longest && $0.place.upperBound == text.utf8.count
                })
            #expect(found.tokens.allSatisfy { String(validating: found.bytes(of: $0), as: UTF8.self) != nil })
        }
    }

    @Test("Of a text of 5,000 words the first 2,000 tokens are those of the whole text, and no others are read")
    func bound() {
        let text = (0..<5_000).map { $0 % 7 == 0 ? "東京\($0)" : "Évora\($0)," }.joined(separator: " ")
        let (some, all) = (TextTokens(of: text), TextTokens(of: text, atMost: .max))
        func shown(_ found: TextTokens) -> [String] {
            found.tokens.prefix(EntityWords.mostTokens).map {
                "\($0.position) \($0.form) \($0.place) \($0.firstEnd) "
                    + String(decoding: found.bytes(of: $0), as: UTF8.self)
            }
        }
        #expect(shown(some) == shown(all) && shown(some).count == EntityWords.mostTokens)
        #expect(all.tokens.count > 5_000 && some.tokens.count <= EntityWords.mostTokens + 2)
        #expect(some.bytes.count < all.bytes.count / 2)
    }

    @Test("The places of tokens are whole characters of the text")
    func places() {
        let text = "Évora e\u{301}tat 東京"
        let shown = TextTokens(of: text).tokens.map { String(decoding: Array(text.utf8)[$0.place], as: UTF8.self) }
        #expect(shown == ["Évora", "e\u{301}tat", "東京", "京"])
    }

    @Test("The table of classes changes only with the version of the folding")
    func version() {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for scalar in UInt32(0)...0x10FFFF {
            digest = (digest ^ UInt64(ScalarClasses.shared.ofScalar(scalar).rawValue)) &* 0x100_0000_01B3
        }
        #expect(digest == 0x3CFA_09EB_028D_DB50 && TextFolding.version == 1)
    }
}

@Suite("Questions of a search")
struct SearchQuestionTests {
    /// Terms as text: words with a star where a beginning is enough, joined by the distance where they follow each other.
    private func terms(_ text: String) -> [String]? {
        SearchQuestion(text)?.terms.map { term in
            term.words.map { "\($0.offset)\(String(decoding: $0.bytes, as: UTF8.self))\($0.isPrefix ? "*" : "")" }
                .joined(separator: " ")
        }
    }

    @Test(
        "Words are beginnings, quoted ones are not, and marks in a word make a phrase",
        arguments: [
            ("", []), ("  ?! ", []), ("lis tram", ["0lis*", "0tram*"]), ("lis LIS", ["0lis*"]),
            ("\"tram 28\"", ["0tram 128"]),
            ("\"tram\"", ["0tram"]), ("\"tram 2", ["0tram 12*"]), ("a\"b\"c", ["0a*", "0b", "0c*"]),
            ("LH-400", ["0lh 1400*"]),
            ("“tram 28”", ["0tram 128"]), ("東京都", ["0東京 1京都"]), ("京", ["0京*"]), ("東京tower", ["0東京 2tower*"]),
            ("\"\"", []), ("\" ", []),
        ] as [(String, [String])])
    func parsed(text: String, expected: [String]) { #expect(terms(text) == expected) }

    @Test("A question of too many bytes or words is none")
    func long() {
        #expect(terms(String(repeating: "a", count: 1_024))?.count == 1)
        #expect(terms(String(repeating: "a", count: 1_025)) == nil)
        #expect(terms((0..<64).map { "a\($0)" }.joined(separator: " "))?.count == 64)
        #expect(terms((0..<65).map { "a\($0)" }.joined(separator: " ")) == nil)
    }

    @Test(
        "Places are marked as wholes, phrases at once, in the bytes of the text",
        arguments: [
            ("tram", "The Tram, a tramway", ["Tram", "tramway"]), ("\"tram\"", "Tram, tramway", ["Tram"]),
            ("\"tram 28\" lis", "Tram 28 in Lisbon", ["Tram 28", "Lisbon"]), ("évo", "in EVORA", ["EVORA"]),
            ("京", "東京都", ["京"]), ("京都", "東京都と京都", ["京都", "京都"]), ("東京 京都", "東京都", ["東京都"]), ("x", "a", []),
        ] as [(String, String, [String])])
    func places(question: String, text: String, expected: [String]) throws {
        let question = try #require(SearchQuestion(question))
        #expect(question.places(in: text).map { String(text[$0]) } == expected)
    }

    @Test("An entity counts with its first 2,000 tokens alone, those of names before those of notes")
    func bound() throws {
        let long = (0..<3_000).map { "w\($0)" }.joined(separator: " ")
        let row = EntityWords.row(of: [
            EntityText(field: .name, number: 1, text: "Lisbon"), EntityText(field: .notes, number: 3, text: long),
        ])
        func isFound(_ text: String) throws -> Bool {
            let question = try #require(SearchQuestion(text))
            return row.withUnsafeBytes { question.score(of: $0) } != nil
        }
        #expect(try isFound("Lisbon") && isFound("w1998") && !isFound("\"w1999\"") && !isFound("w2999"))
        #expect(!(try isFound("\"lisbon w0\"")))
    }
}
