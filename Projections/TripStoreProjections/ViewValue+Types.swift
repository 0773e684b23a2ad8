public import Events
public import Foundation
public import Trips

extension Int64: ViewValue {
    /// The sign is turned, so that negative ones come first.
    public func write(to bytes: inout ViewBytes) {
        bytes.append(bytes: (UInt64(bitPattern: self) ^ 1 << 63).bigEndianBytes)
    }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let number = bytes.number(UInt64.self) else { return nil }
        self.init(bitPattern: number ^ 1 << 63)
    }
}

extension Int: ViewValue {
    public func write(to bytes: inout ViewBytes) { Int64(self).write(to: &bytes) }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let number = Int64(reading: &bytes) else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: ViewValue {
    public func write(to bytes: inout ViewBytes) { bytes.append(bytes: [self ? 1 : 0]) }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let byte = bytes.number(UInt8.self), byte < 2 else { return nil }
        self = byte == 1
    }
}

/// In a key its first `ViewBytes.longestTextInKey` bytes alone, in the order of their numbers.
extension String: ViewValue {
    public func write(to bytes: inout ViewBytes) { bytes.append(text: self) }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let text = bytes.text() else { return nil }
        self = text
    }
}

extension UUID: ViewValue {
    public func write(to bytes: inout ViewBytes) { bytes.append(bytes: self.bytes) }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let uuid = bytes.take(16)?.withUnsafeBytes({ $0.uuid() }) else { return nil }
        self = uuid
    }
}

/// Nil before all others.
extension Optional: ViewValue where Wrapped: ViewValue {
    public func write(to bytes: inout ViewBytes) {
        bytes.append(self != nil)
        if let value = self { bytes.append(value) }
    }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let isThere = Bool(reading: &bytes) else { return nil }
        guard isThere else {
            self = .none
            return
        }
        guard let value = Wrapped(reading: &bytes) else { return nil }
        self = .some(value)
    }
}

// MARK: Values of fields

extension Day: ViewValue {
    public func write(to bytes: inout ViewBytes) {
        let number = Int32(truncatingIfNeeded: daysSince1970)
        bytes.append(bytes: (UInt32(bitPattern: number) ^ 1 << 31).bigEndianBytes)
    }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let number = bytes.number(UInt32.self) else { return nil }
        self.init(daysSince1970: Int32(bitPattern: number ^ 1 << 31))
    }
}

/// By the instant, and at the same instant by the zone.
extension Moment: ViewValue {
    public func write(to bytes: inout ViewBytes) {
        bytes.append(milliseconds)
        bytes.append(zone)
    }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let milliseconds = Int64(reading: &bytes), let zone = String(reading: &bytes) else { return nil }
        self.init(milliseconds: milliseconds, zone: zone)
    }
}

extension Identifier: ViewValue {
    public func write(to bytes: inout ViewBytes) { bytes.append(uuid) }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let uuid = UUID(reading: &bytes) else { return nil }
        self.init(uuid)
    }
}

extension EntityReference: ViewValue {
    public func write(to bytes: inout ViewBytes) { bytes.append(bytes: self.bytes) }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let uuid = UUID(reading: &bytes), let kind = bytes.number(UInt16.self) else { return nil }
        self.init(kind: EntityKind(rawValue: kind), id: uuid)
    }
}

/// By the number in the log: values that this version does not know are kept.
extension OpenEnumeration {
    public func write(to bytes: inout ViewBytes) { bytes.append(bytes: rawValue.bigEndianBytes) }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let number = bytes.number(UInt32.self) else { return nil }
        self.init(rawValue: number)
    }
}

/// By the raw value.
extension ViewValue where Self: RawRepresentable, RawValue: FixedWidthInteger & UnsignedInteger {
    public func write(to bytes: inout ViewBytes) { bytes.append(bytes: rawValue.bigEndianBytes) }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let number = bytes.number(RawValue.self) else { return nil }
        self.init(rawValue: number)
    }
}

extension ProcessingStatus: ViewValue {}
extension EntityKind: ViewValue {}

/// By the code.
extension Currency: ViewValue {
    public func write(to bytes: inout ViewBytes) { bytes.append(code) }

    public init?(reading bytes: inout ViewBytes.Reader) {
        guard let code = String(reading: &bytes) else { return nil }
        self.init(unchecked: code)
    }
}
