/// What a folded scalar is to words. The raw values are those of the committed table.
enum ScalarClass: UInt8 {
    /// Between words.
    case separator
    /// Part of a word.
    case word
    /// Of a script that is written without spaces between words, or a picture.
    case unspaced
    /// Neither ends a word nor is part of it, such as a soft hyphen.
    case skipped
}

/// The classes of scalars, from data that is committed: the same with every version of the system and of Swift's library.
///
/// `Tools/folding-tables` makes the data. `TextFolding.version` is its version as well.
struct ScalarClasses: Sendable {
    static let shared = ScalarClasses(data)

    /// Below this number the class is looked up at once: most alphabets.
    private static let directCount = 0x3000

    private var direct = [ScalarClass](repeating: .separator, count: directCount)
    /// Where runs of one class begin, ascending, and their classes.
    private var starts: [UInt32] = []
    private var classes: [ScalarClass] = []

    /// From words of the first scalar of a run in hexadecimal, `=`, and the class.
    init(_ data: StaticString) {
        data.withUTF8Buffer { text in
            for word in text.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }) {
                let parts = word.split(separator: UInt8(ascii: "="))
                guard parts.count == 2, let start = UInt32(String(decoding: parts[0], as: UTF8.self), radix: 16),
                    let number = UInt8(String(decoding: parts[1], as: UTF8.self)),
                    let found = ScalarClass(rawValue: number)
                else { continue }
                starts.append(start)
                classes.append(found)
            }
        }
        for scalar in 0x80..<Self.directCount { direct[scalar] = search(UInt32(scalar)) }
        for scalar in 0..<0x80 where Self.isWord(ascii: UInt8(scalar)) { direct[scalar] = .word }
    }

    @inline(__always)
    static func isWord(ascii byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    @inline(__always)
    func ofScalar(_ scalar: UInt32) -> ScalarClass {
        scalar < Self.directCount ? direct[Int(scalar)] : search(scalar)
    }

    private func search(_ scalar: UInt32) -> ScalarClass {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= scalar { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? .separator : classes[low - 1]
    }
}
