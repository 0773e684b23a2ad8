extension [UInt8] {
    /// The bytes of a base64 text with padding (RFC 4648, section 4); nil if it is none. One text stands for each bytes: the bits that padding
    /// leaves over are zero.
    package init?(base64 text: String) {
        var text = text
        let bytes = text.withUTF8 { characters in Self.decoded(characters) }
        guard let bytes else { return nil }
        self = bytes
    }

    private static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        guard let last = text.last else { return [] }
        let padding = last != pad ? 0 : text[text.count - 2] == pad ? 2 : 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (word, count): (UInt32, Int) = (0, 0)
        for character in text.dropLast(padding) {
            let digit = digits[Int(character)]
            guard digit < 64 else { return nil }
            word = word << 6 | UInt32(digit)
            count += 1
            if count == 4 {
                bytes.append(UInt8(truncatingIfNeeded: word >> 16))
                bytes.append(UInt8(truncatingIfNeeded: word >> 8))
                bytes.append(UInt8(truncatingIfNeeded: word))
                (word, count) = (0, 0)
            }
        }
        switch padding {
        case 1:
            guard word & 0x3 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: word >> 10))
            bytes.append(UInt8(truncatingIfNeeded: word >> 2))
        case 2:
            guard word & 0xF == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: word >> 4))
        default: break
        }
        return bytes
    }

    private static let pad = UInt8(ascii: "=")
    /// The digit of each character; 255 of those that are none.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 255, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (digit, character) in alphabet.utf8.enumerated() { digits[Int(character)] = UInt8(digit) }
        return digits
    }()
}
