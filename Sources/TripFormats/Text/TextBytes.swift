import Events
import Foundation
import Platform

/// The bytes of a text file in UTF-8, without a byte order mark.
package struct TextBytes: Sendable {
    let bytes: ArraySlice<UInt8>

    /// Throws `TextFormatError` with `empty`, `tooLarge` or `wrongEncoding`. O(bytes).
    /// - Parameter isChecked: false if what reads them checks with `check(_:at:)` that they are UTF-8: a line of a calendar may be folded in
    ///   the middle of a character.
    init(_ bytes: [UInt8], most: Int, isChecked: Bool = true) throws(TextFormatError) {
        guard bytes.count <= most else {
            throw TextFormatError(
                .tooLarge,
                "It has \(bytes.count.counted("byte")), and at most \(most) are read. Split it into smaller files.")
        }
        try Self.checkBeginning(bytes.prefix(4))
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        if text.allSatisfy({ $0 == 0x20 || 0x09...0x0D ~= $0 }) {
            throw Self.isEmpty
        }
        if isChecked { try Self.check(text) { TextPlace(of: $0, in: text) } }
        self.bytes = text
    }

    static let isEmpty = TextFormatError(.empty, "It is empty. Check that it was saved whole.")

    /// Throws `wrongEncoding` for a beginning as UTF-16 and UTF-32 have it.
    static func checkBeginning(_ bytes: ArraySlice<UInt8>) throws(TextFormatError) {
        guard bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(4).contains(0) else {
            return
        }
        throw TextFormatError(
            .wrongEncoding, "It is text in UTF-16 or UTF-32, or no text. Save it in UTF-8.", at: TextPlace(line: 1))
    }

    /// The most bytes of a file.
    private static let largest = 64 << 20

    /// Reads a whole file.
    ///
    /// Throws `TextFormatError` with `unreadable` or `tooLarge`.
    package static func contents(of path: String) throws(TextFormatError) -> [UInt8] {
        let bytes: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            bytes = try file.read(upToCount: largest + 1) ?? Data()
        } catch {
            throw TextFormatError(.unreadable, "It cannot be read: \(error.systemText)")
        }
        guard bytes.count <= largest else {
            throw TextFormatError(
                .tooLarge,
                "It has over \(largest) bytes, and that is the most that is read. Split it into smaller files.")
        }
        return [UInt8](bytes)
    }

    /// Throws `wrongEncoding` for bytes that are no UTF-8. O(bytes).
    /// - Parameter place: the place of the byte at an offset.
    static func check(_ bytes: ArraySlice<UInt8>, at place: (Int) -> TextPlace) throws(TextFormatError) {
        guard let fault = firstFault(bytes) else { return }
        throw notUTF8(bytes[fault], at: place(fault - bytes.startIndex))
    }

    static func notUTF8(_ byte: UInt8, at place: TextPlace) -> TextFormatError {
        TextFormatError(
            .wrongEncoding,
            "The byte 0x\(String(byte, radix: 16, uppercase: true)) is no UTF-8, as in a file in Latin-1 or one that was "
                + "damaged. Save it in UTF-8.", at: place)
    }

    /// The first byte of the first sequence that is no UTF-8 (RFC 3629), or a NUL.
    static func firstFault(_ bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            var index = 0
            while index < buffer.count {
                let byte = buffer[index]
                if byte < 0x80 {
                    if byte == 0 { return index + bytes.startIndex }
                    index += 1
                    continue
                }
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                let second: ClosedRange<UInt8> =
                    switch byte {
                    case 0xE0: 0xA0...0xBF
                    case 0xED: 0x80...0x9F
                    case 0xF0: 0x90...0xBF
                    case 0xF4: 0x80...0x8F
                    default: 0x80...0xBF
                    }
                guard 0xC2...0xF4 ~= byte, index + length <= buffer.count, second ~= buffer[index + 1],
                    (index + 2..<index + length).allSatisfy({ 0x80...0xBF ~= buffer[$0] })
                else { return index + bytes.startIndex }
                index += length
            }
            return nil
        }
    }
}
