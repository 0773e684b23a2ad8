package import Foundation

/// The bytes of a table in UTF-8, whatever encoding a spreadsheet wrote them in.
package struct TableText {
    /// In UTF-8 if they are text in a known encoding; else as they are.
    package private(set) var bytes: [UInt8]
    /// The sign that a first line such as `sep=;` names.
    package let delimiter: UInt8?
    /// A sentence for people if the encoding was guessed.
    private(set) var note: String?

    /// The encodings that a mapping may name.
    static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf-16": .utf16, "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
        "windows-1252": .windowsCP1252, "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
        "iso-8859-1": .isoLatin1, "iso-8859-2": .isoLatin2, "macintosh": .macOSRoman, "shift_jis": .shiftJIS,
    ]

    /// Takes a byte order mark for what it says, then the encoding that is given, UTF-16 that has signs of ASCII, UTF-8, and in the end
    /// Windows-1252, which has all of Latin-1. O(bytes).
    package init(_ bytes: [UInt8], encoding: String.Encoding? = nil) {
        self.bytes = bytes
        if let isLittle = Self.isLittleEndianUTF16(bytes) {
            self.bytes = Self.decoded(utf16: bytes, isLittleEndian: isLittle)
        } else if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            self.bytes = Array(bytes.dropFirst(3))
        } else if let encoding {
            if let text = String(data: Data(bytes), encoding: encoding) { self.bytes = Array(text.utf8) }
        } else if let text = Self.singleByteText(bytes) {
            self.bytes = Array(text.utf8)
            note =
                "It is no UTF-8, and was read as Windows-1252. If letters are wrong, name its 'encoding' in the mapping."
        }
        delimiter = Self.namedDelimiter(self.bytes)
    }

    /// Whether the low byte of each unit comes first; nil for other encodings.
    private static func isLittleEndianUTF16(_ bytes: [UInt8]) -> Bool? {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return nil }
        if bytes.starts(with: [0xFF, 0xFE]) { return true }
        if bytes.starts(with: [0xFE, 0xFF]) { return false }
        guard bytes.count >= 4 else { return nil }
        return switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (1..., 0, 1..., 0): true
        case (0, 1..., 0, 1...): false
        default: nil
        }
    }

    private static func decoded(utf16 bytes: [UInt8], isLittleEndian: Bool) -> [UInt8] {
        let units = stride(from: 0, to: bytes.count - 1, by: 2).lazy.map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittleEndian ? second << 8 | first : first << 8 | second
        }
        var text = String(decoding: Array(units), as: UTF16.self)
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        return Array(text.utf8)
    }

    /// The text of bytes that are no UTF-8; nil for UTF-8, for UTF-8 that was damaged, and for bytes that are no text.
    private static func singleByteText(_ bytes: [UInt8]) -> String? {
        guard TextBytes.firstFault(bytes[...]) != nil, !bytes.contains(0) else { return nil }
        // Letters beyond ASCII in UTF-8 show that the rest of the file is meant to be that.
        let isDamaged = String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
            !$0.isASCII && $0 != "\u{FFFD}"
        }
        guard !isDamaged else { return nil }
        let data = Data(bytes)
        return String(data: data, encoding: .windowsCP1252) ?? String(data: data, encoding: .isoLatin1)
    }

    /// The sign of a first line that spreadsheets write and read to name the delimiter.
    static func namedDelimiter(_ bytes: some Sequence<UInt8>) -> UInt8? {
        let line = bytes.prefix(16).prefix { $0 != 0x0A && $0 != 0x0D }.filter { $0 != UInt8(ascii: "\"") }
        guard line.count == 5, String(decoding: line.prefix(4), as: UTF8.self).lowercased() == "sep=" else {
            return nil
        }
        return line.last.flatMap { $0 < 0x80 ? $0 : nil }
    }
}
