import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Folded text")
struct TextFoldingTests {
    private static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

    private static let scalars = (UInt32(0x80)...0x10FFFF).compactMap(Unicode.Scalar.init)

    /// Of later versions the system's own data may know a decomposition that the table does not.
    private static let known = scalars.filter { scalar in scalar.properties.age.map { $0.major <= 14 } ?? false }
    private static let marks = known.filter { $0.properties.canonicalCombiningClass != .notReordered }
    private static let composed = known.filter { $0.value < 0x3000 || 0xAC00...0xD7A3 ~= $0.value }

    @Test(
        "Case and marks are left out, in the same way in all languages",
        arguments: [
            ("", ""), ("Tram 28", "tram 28"), ("tram", "tram"), ("ÉVORA", "evora"), ("E\u{301}vora", "evora"),
            ("São Jorge", "sao jorge"), ("Straße", "strasse"), ("STRASSE", "strasse"), ("\u{1E9E}", "ss"),
            ("ΜΟΥΣΕΊΟΣ", "μουσειοσ"), ("μουσείος", "μουσειοσ"), ("ᾳ", "α"), ("α\u{345}", "α"), ("Й", "и"),
            ("İstanbul", "istanbul"), ("ISTANBUL", "istanbul"), ("ısı", "ısı"), ("\u{212B}", "a"), ("\u{212A}", "k"),
            ("\u{FB01}n", "fin"), ("\u{149}", "\u{2BC}n"), ("µ", "μ"), ("Œuvre", "œuvre"), ("Øre", "øre"),
            ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"), ("하", "\u{1112}\u{1161}"),
            ("\u{D7A3}", "\u{1112}\u{1175}\u{11C2}"), ("ガ", "カ"), ("東京", "東京"), ("\u{F900}", "\u{8C48}"),
            // No compatibility forms.
            ("Ａ", "ａ"), ("\u{FF76}\u{FF9E}", "\u{FF76}\u{FF9E}"), ("①", "①"), ("\u{A0}", "\u{A0}"),
            // A spacing mark and an enclosing one stay; a tone mark that canonical ordering moves is left out.
            ("\u{915}\u{93E}", "\u{915}\u{93E}"), ("a\u{20DD}", "a\u{20DD}"), ("\u{1112}\u{302E}", "\u{1112}"),
            ("\u{1F6A1}\u{FE0F}", "\u{1F6A1}"), ("\u{10400}", "\u{10428}"), ("\u{0}Ä\u{378}", "\u{0}a\u{378}"),
        ] as [(String, String)])
    func samples(text: String, folded: String) {
        #expect(Self.isSame(TextFolding.folded(text), folded))
        #expect(Self.isSame(TextFolding.folded(folded), folded))
    }

    @Test("The table changes only with the version")
    func version() {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        var text = String.UnicodeScalarView()
        for scalar in Self.scalars where !(0xAC00...0xD7A3 ~= scalar.value) { text.append(scalar) }
        for byte in TextFolding.folded(String(text)).utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // As Tools/folding-tables --digest prints it.
        #expect(digest == 0x2AFB_B6A2_12D2_E662 && TextFolding.version == 1)
    }

    private static let hasSameUnicode = Program.succeeds(
        "python3", "-c", "import unicodedata; assert unicodedata.unidata_version == '\(FoldingTable.unicodeVersion)'")

    @Test("All scalars fold as Python's Unicode data say", .enabled(if: hasSameUnicode))
    func python() throws {
        let script = """
            import sys, unicodedata
            nfd = lambda text: unicodedata.normalize("NFD", text)
            bare = lambda text: "".join(c for c in text if unicodedata.category(c) != "Mn" and not unicodedata.combining(c))
            for code in range(0x110000):
                if not 0xD800 <= code < 0xE000:
                    result = bare(nfd(bare(nfd(bare(nfd(chr(code))).casefold())).casefold()))
                    if result != chr(code): print(f"{code:x}", *(f"{ord(c):x}" for c in result))
            """
        let output = try #require(try Program.run("python3", ["-c", script]))
        try #require(output.code == 0, "\(output.complaint)")
        var folded: [UInt32: String] = [:]
        for line in output.text.split(separator: "\n") {
            let codes = line.split(separator: " ").compactMap { UInt32($0, radix: 16) }
            folded[try #require(codes.first)] = codes.dropFirst().compactMap(Unicode.Scalar.init).map(String.init)
                .joined()
        }
        #expect(folded.count > 13_000)
        for block in UInt32(0)..<0x1100 {
            let scalars = (block << 8..<(block + 1) << 8).compactMap(Unicode.Scalar.init)
            let expected = scalars.map { folded[$0.value] ?? String($0) }.joined()
            guard !Self.isSame(TextFolding.folded(scalars.map(String.init).joined()), expected) else { continue }
            let different = scalars.first {
                !Self.isSame(TextFolding.folded(String($0)), folded[$0.value] ?? String($0))
            }
            Issue.record("\(String(different?.value ?? block << 8, radix: 16))")
        }
    }

    @Test("Equivalent texts fold to the same, and folded text is not changed by folding", arguments: Seeds.some(20))
    func equivalence(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let source = [Self.known, Self.marks, Self.composed].randomElement(using: &random) ?? []
                scalars.append(source.randomElement(using: &random) ?? "a")
            }
            let text = String(scalars)
            let folded = TextFolding.folded(text)
            let codes = scalars.map { String($0.value, radix: 16) }
            #expect(
                Self.isSame(TextFolding.folded(text.decomposedStringWithCanonicalMapping), folded), "\(seed) \(codes)")
            #expect(
                Self.isSame(TextFolding.folded(text.precomposedStringWithCanonicalMapping), folded), "\(seed) \(codes)")
            #expect(Self.isSame(TextFolding.folded(folded), folded), "\(seed) \(codes)")
        }
    }
}
