/// A value in the rows of an `AppView`: in their keys, where the order of the bytes is the order of the values, or beside them.
///
/// Numbers, text, days, moments, ids and pairs are such values. A struct of an app's own writes its parts one after another, the one
/// first by which rows are ordered first, and reads them in the same order:
///
/// ```swift
/// struct Stay: ViewValue {
///     var city: String
///     var nights: Int
///
///     func write(to bytes: inout ViewBytes) {
///         bytes.append(city)
///         bytes.append(nights)
///     }
///
///     init?(reading bytes: inout ViewBytes.Reader) {
///         guard let city = String(reading: &bytes), let nights = Int(reading: &bytes) else { return nil }
///         self.init(city: city, nights: nights)
///     }
/// }
/// ```
///
/// Raise the version of the views whose values are written otherwise.
public protocol ViewValue: Hashable, Sendable {
    func write(to bytes: inout ViewBytes)

    /// Nil if the bytes are not such a value.
    init?(reading bytes: inout ViewBytes.Reader)
}

/// The bytes of values, of which each tells where it ends.
public struct ViewBytes {
    /// The most bytes that a text has in a key; what follows is cut off there, so that keys have a bound. Behind long parts it is fewer:
    /// a text has at most half of what is left of `longestKey`.
    package static let longestTextInKey = 120
    /// The most bytes of a key of texts and some other parts.
    static let longestKey = 480

    private(set) var bytes: [UInt8] = []
    private let isKey: Bool

    init(isKey: Bool) { self.isKey = isKey }

    /// Those of one value.
    init(key value: some ViewValue) {
        self.init(isKey: true)
        append(value)
    }

    public mutating func append(_ value: some ViewValue) { value.write(to: &self) }

    mutating func append(bytes: some Collection<UInt8>) { self.bytes += bytes }

    /// Text in the order of its UTF-8: a zero in it is followed by 0xFF, and 0 and 1 end it.
    mutating func append(text: String) {
        let limit = min(Self.longestTextInKey, max(0, Self.longestKey - bytes.count) / 2)
        let text = isKey ? Self.cut(text, to: limit) : Array(text.utf8)
        for byte in text {
            bytes.append(byte)
            if byte == 0 { bytes.append(0xFF) }
        }
        bytes += [0, 1]
    }

    /// The first bytes of a text that have at most so many once they are written, no character's code cut in two.
    private static func cut(_ text: String, to limit: Int) -> [UInt8] {
        var cut: [UInt8] = []
        var size = 0
        for byte in text.utf8 {
            cut.append(byte)
            size += byte == 0 ? 2 : 1
            guard size > limit else { continue }
            // Back to the start of the last code point.
            while let last = cut.popLast(), last & 0xC0 == 0x80 {}
            break
        }
        return cut
    }

    /// Reads values in the order in which they were written.
    public struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: some Collection<UInt8>) { rest = Array(bytes)[...] }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
            take(Number.bitWidth / 8).map { $0.reduce(0) { $0 << 8 | Number($1) } }
        }

        mutating func text() -> String? {
            var text: [UInt8] = []
            while let byte = rest.popFirst() {
                if byte == 0 {
                    guard let next = rest.popFirst(), next == 1 || next == 0xFF else { return nil }
                    if next == 1 { return String(validating: text, as: UTF8.self) }
                }
                text.append(byte)
            }
            return nil
        }
    }
}

/// Two values, ordered by the first; of more, the second is a pair as well.
public struct ViewPair<First: ViewValue, Second: ViewValue>: ViewValue {
    public var first: First
    public var second: Second

    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    public func write(to bytes: inout ViewBytes) {
        bytes.append(first)
        bytes.append(second)
    }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let first = First(reading: &bytes), let second = Second(reading: &bytes) else { return nil }
        self.init(first, second)
    }
}

/// No value: for rows whose key says everything.
public struct NoValue: ViewValue {
    public init() {}
    public func write(to bytes: inout ViewBytes) {}
    public init?(reading bytes: inout ViewBytes.Reader) {}
}
