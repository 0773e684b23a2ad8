public import Foundation

// Generic code here is inlined into its callers: unspecialised, called from another module, it would look up its types
// at run time, which takes a hundred times as long as reading a number.

extension FixedWidthInteger {
    /// Most significant first, so that byte order is the order of (unsigned) numbers.
    @inlinable
    public var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { [UInt8]($0) } }
}

extension UnsafeRawBufferPointer {
    /// The big-endian number at an offset; the caller has checked the bounds.
    @inlinable @inline(__always)
    public func bigEndian<T: FixedWidthInteger>(_ type: T.Type, at offset: Int = 0) -> T {
        T(bigEndian: loadUnaligned(fromByteOffset: offset, as: T.self))
    }

    /// The UUID at an offset; the caller has checked the bounds.
    ///
    /// Loaded as a whole: Foundation's initialiser is a call into another library for every event.
    @inlinable @inline(__always)
    public func uuid(at offset: Int = 0) -> UUID { loadUnaligned(fromByteOffset: offset, as: UUID.self) }

    /// A part, in place.
    @inlinable @inline(__always)
    public func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }

    /// The range of these bytes within bytes that contain them.
    public func range(in whole: UnsafeRawBufferPointer) -> Range<Int> {
        guard let start = baseAddress, let base = whole.baseAddress else { return 0..<0 }
        return start - base..<start - base + count
    }

    /// From an offset to the end, in place.
    @inlinable @inline(__always)
    public func part(from offset: Int) -> UnsafeRawBufferPointer { part(offset..<count) }

    /// Whether these bytes begin with others.
    @inlinable
    public func begins(with prefix: UnsafeRawBufferPointer) -> Bool {
        guard count >= prefix.count, let mine = baseAddress, let others = prefix.baseAddress else {
            return prefix.isEmpty
        }
        return memcmp(mine, others, prefix.count) == 0
    }

    /// Whether these bytes come before others in key order.
    @inlinable
    public func isBelow(_ other: UnsafeRawBufferPointer) -> Bool { order(before: other) < 0 }

    /// Less than 0 if these bytes come before others in key order, 0 if both are the same.
    @inlinable
    package func order(before other: UnsafeRawBufferPointer) -> Int {
        guard let mine = baseAddress, let others = other.baseAddress else { return count - other.count }
        let order = memcmp(mine, others, Swift.min(count, other.count))
        return order == 0 ? count - other.count : Int(order)
    }

    /// Whether both hold the same bytes.
    @inlinable
    public func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        count == other.count && begins(with: other)
    }
}

extension UUID {
    @inlinable
    public var bytes: [UInt8] { withUnsafeBytes(of: uuid) { [UInt8]($0) } }
}

extension Collection where Element == UInt8 {
    /// Two lower-case digits a byte.
    public var hexadecimal: String {
        let digits: [UInt8] = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(count * 2)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// A copy of borrowed bytes.
    public init(_ bytes: RawSpan) { self = bytes.withUnsafeBytes { [UInt8]($0) } }

    /// Nil unless the text is pairs of hexadecimal digits.
    public init?(hexadecimal text: String) {
        let digits = text.utf8.map { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        guard digits.count % 2 == 0 else { return nil }
        self = []
        reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            append(high << 4 | low)
        }
    }
}

extension [UInt8] {
    /// The smallest key that is greater than every key with this prefix; nil if there is none.
    public var afterPrefix: [UInt8]? {
        var bytes = self
        while let last = bytes.popLast() {
            if last < 0xFF { return bytes + [last + 1] }
        }
        return nil
    }
}
