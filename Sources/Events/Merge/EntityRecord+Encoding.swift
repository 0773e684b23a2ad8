extension EntityRecord {
    /// The record's bytes: equal for equal records, on every platform.
    ///
    /// Event count and fingerprint; the stamps in use, ascending; the creation's index among them, counted from 1, or
    /// 0; then the registers in path order: field, key, stamp, and length of the value plus 1, or 0 if cleared. Numbers
    /// are varints, the fingerprint 8 bytes, most significant first.
    public func encoded() -> [UInt8] {
        var stamps = registers.map(\.stamp)
        if let creation { stamps.append(creation) }
        stamps.sort()
        var unique: [Stamp] = []
        for stamp in stamps where unique.last != stamp { unique.append(stamp) }

        var writer = WireWriter(reservingCapacity: 32 + unique.count * Stamp.encodedSize + registers.count * 24)
        writer.rawVarint(version.events)
        writer.raw(version.fingerprint.bigEndianBytes)
        writer.rawVarint(UInt64(unique.count))
        for stamp in unique { writer.raw(stamp.bytes) }
        writer.rawVarint(creation.map { UInt64(Self.rank(of: $0, in: unique) + 1) } ?? 0)
        for register in registers {
            writer.rawVarint(register.path.field)
            writer.rawVarint(UInt64(register.path.key.count))
            writer.raw(register.path.key)
            writer.rawVarint(UInt64(Self.rank(of: register.stamp, in: unique)))
            writer.rawVarint(register.value.map { UInt64($0.count + 1) } ?? 0)
            if let value = register.value { writer.raw(value) }
        }
        return writer.bytes
    }

    /// The index of a stamp in an ascending list. O(log n).
    private static func rank(of stamp: Stamp, in stamps: [Stamp]) -> Int {
        var (low, high) = (0, stamps.count)
        while low < high {
            let middle = (low + high) / 2
            if stamps[middle] < stamp { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// From the bytes of `encoded()`. Throws `WireError` if they are not.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        try self.init(try RecordView(bytes))
    }

    /// A copy of a viewed record. Throws `WireError` if it cannot be read.
    public init(_ view: borrowing RecordView) throws(WireError) {
        var registers: [Register] = []
        try view.forEachRegister { register throws(WireError) in
            registers.append(
                Register(
                    path: FieldPath(field: register.field, key: [UInt8](register.key)),
                    stamp: try view.stamp(register.stampIndex), value: register.value.map { [UInt8]($0) }))
        }
        self.init(version: view.version, creation: try view.creation(), registers: registers)
    }
}
