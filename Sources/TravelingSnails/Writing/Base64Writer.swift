import Foundation

/// Encodes bytes as base64 (RFC 4648, section 4), piece by piece.
struct Base64Writer {
    /// Up to two bytes that wait for a third.
    private var rest: [UInt8] = []

    /// The characters of the bytes that have come so far, but for those of an unfinished group. O(bytes).
    mutating func encode(_ bytes: [UInt8]) -> [UInt8] {
        let all = rest.isEmpty ? bytes : rest + bytes
        let whole = all.count - all.count % 3
        rest = Array(all[whole...])
        return Array(Data(all[..<whole]).base64EncodedData())
    }

    /// The characters of what is left, with padding.
    mutating func finish() -> [UInt8] {
        defer { rest = [] }
        return Array(Data(rest).base64EncodedData())
    }
}
