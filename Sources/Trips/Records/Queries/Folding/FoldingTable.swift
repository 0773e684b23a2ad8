/// What scalars fold to, from data that is committed: the same with every version of the system and of Swift's library.
///
/// `Tools/folding-tables` makes the data and says by which steps. Hangul syllables are not in it, because their decomposition is arithmetic.
struct FoldingTable: Sendable {
    static let shared = FoldingTable(data)

    /// The version of Unicode as `Unicode.Scalar.Properties.age` has it.
    static let unicodeAge: (major: Int, minor: Int) = {
        let numbers = unicodeVersion.split(separator: ".").compactMap { Int($0) }
        return (numbers.first ?? 0, numbers.dropFirst().first ?? 0)
    }()

    /// For each 64 scalars, which share all bytes of UTF-8 but the last, the number of their page. Page 0 is of scalars that fold to themselves.
    private var pages: [UInt16] = []
    /// Of each page 64 numbers of spans. Span 0 stands for the scalar itself.
    private var entries = [UInt16](repeating: 0, count: 64)
    /// Where in the bytes a replacement begins, and 8 bits for its count of bytes.
    private var spans: [UInt32] = [0]
    /// The replacements in UTF-8.
    private var bytes: [UInt8] = []

    /// From words of hexadecimal numbers: see `data`.
    init(_ data: StaticString) {
        var numbers: [[UInt32]: UInt16] = [:]
        data.withUTF8Buffer { text in
            for word in text.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }) {
                guard let entry = Entry(word) else { continue }
                for scalar in entry.scalars {
                    let replacement = entry.replacement(of: scalar)
                    let number = numbers[replacement] ?? add(replacement)
                    numbers[replacement] = number
                    setEntry(scalar, number)
                }
            }
        }
    }

    /// The number of a new replacement.
    private mutating func add(_ scalars: [UInt32]) -> UInt16 {
        let start = bytes.count
        for scalar in scalars.compactMap(Unicode.Scalar.init) { bytes += String(scalar).utf8 }
        spans.append(UInt32(start) << 8 | UInt32(bytes.count - start))
        return UInt16(spans.count - 1)
    }

    private mutating func setEntry(_ scalar: UInt32, _ span: UInt16) {
        let block = Int(scalar >> 6)
        if block >= pages.count { pages += repeatElement(0, count: block + 1 - pages.count) }
        if pages[block] == 0 {
            pages[block] = UInt16(entries.count >> 6)
            entries += repeatElement(0, count: 64)
        }
        entries[Int(pages[block]) << 6 | Int(scalar & 0x3F)] = span
    }

    /// How many bytes folded text has at most, of so many.
    static func capacity(_ count: Int) -> Int { 3 * count }

    /// Folds UTF-8 that is valid, and returns how many bytes it wrote, at most `capacity` of those that it read.
    func fold(_ text: UnsafeBufferPointer<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var folded = FoldedBytes(buffer: buffer)
        var index = 0
        while index < text.count {
            let lead = text[index]
            if lead < 0x80 {
                folded.append(0x41...0x5A ~= lead ? lead | 0x20 : lead)
                index += 1
                continue
            }
            let next = index + (lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4)
            // The bits above those of the last byte.
            var block = Int(lead) & (next - index == 2 ? 0x1F : next - index == 3 ? 0x0F : 0x07)
            for byte in text[index + 1..<next - 1] { block = block << 6 | Int(byte & 0x3F) }
            let last = Int(text[next - 1] & 0x3F)
            let span = block < pages.count ? entries[Int(pages[block]) << 6 | last] : 0
            if span != 0 {
                let replacement = Int(spans[Int(span)])
                for byte in replacement >> 8..<replacement >> 8 + replacement & 0xFF { folded.append(bytes[byte]) }
            } else if Hangul.blocks ~= block, Hangul.syllables ~= block << 6 | last {
                Hangul.append(block << 6 | last, to: &folded)
            } else {
                for byte in text[index..<next] { folded.append(byte) }
            }
            index = next
        }
        return folded.count
    }
}

/// Bytes that are written one after the other.
private struct FoldedBytes {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }
}

/// The arithmetic of the Unicode Standard, section 3.12, "Conjoining Jamo Behavior".
private enum Hangul {
    static let syllables = 0xAC00...0xD7A3
    static let blocks = 0xAC00 >> 6...0xD7A3 >> 6

    /// A leading consonant, a vowel, and a trailing consonant if the syllable has one: each has three bytes.
    static func append(_ syllable: Int, to folded: inout FoldedBytes) {
        let index = syllable - syllables.lowerBound
        append(jamo: 0x1100 + index / (21 * 28), to: &folded)
        append(jamo: 0x1161 + index % (21 * 28) / 28, to: &folded)
        if index % 28 != 0 { append(jamo: 0x11A7 + index % 28, to: &folded) }
    }

    private static func append(jamo: Int, to folded: inout FoldedBytes) {
        folded.append(UInt8(0xE0 | jamo >> 12))
        folded.append(UInt8(0x80 | jamo >> 6 & 0x3F))
        folded.append(UInt8(0x80 | jamo & 0x3F))
    }
}

/// A word of the data.
private struct Entry {
    let scalars: StrideThrough<UInt32>
    private let replacement: [UInt32]
    private let difference: Int64?

    /// `FIRST[-LAST][:STRIDE]`, and then `=SCALARS`, or `+` or `-` with a difference. The last sign begins the second part.
    init?(_ word: UnsafeBufferPointer<UInt8>.SubSequence) {
        guard let sign = word.lastIndex(where: { "=+-".utf8.contains($0) }) else { return nil }
        func numbers(_ text: UnsafeBufferPointer<UInt8>.SubSequence, _ separators: String) -> [UInt32] {
            text.split { separators.utf8.contains($0) }
                .compactMap { UInt32(String(decoding: $0, as: UTF8.self), radix: 16) }
        }
        let range = numbers(word[..<sign], "-:")
        replacement = numbers(word[(sign + 1)...], ",")
        guard let first = range.first else { return nil }
        scalars = stride(
            from: first, through: range.count > 1 ? range[1] : first, by: range.count > 2 ? Int(range[2]) : 1)
        switch UnicodeScalar(word[sign]) {
        case "+": difference = replacement.first.map(Int64.init)
        case "-": difference = replacement.first.map { -Int64($0) }
        default: difference = nil
        }
    }

    func replacement(of scalar: UInt32) -> [UInt32] {
        difference.map { [UInt32(truncatingIfNeeded: Int64(scalar) + $0)] } ?? replacement
    }
}
