/// Writes parts of records one after another; the caller ensures that there is room.
extension UnsafeMutableRawBufferPointer {
    // Debug builds check the bounds. Release builds rely on the computed sizes: `RecordMerger.finish()` counts ten
    // bytes for each number.

    @inline(__always)
    package func write(varint value: UInt64, _ offset: inout Int) {
        var rest = value
        while rest >= 0x80 {
            self[offset] = UInt8(truncatingIfNeeded: rest) | 0x80
            rest >>= 7
            offset += 1
        }
        self[offset] = UInt8(truncatingIfNeeded: rest)
        offset += 1
    }

    @inline(__always)
    package func write(_ number: UInt64, _ offset: inout Int) {
        storeBytes(of: number.bigEndian, toByteOffset: offset, as: UInt64.self)
        offset += 8
    }

    @inline(__always)
    package func write(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) {
        let count = bytes.count
        switch count {
        case 0: return
        case 8...16:
            // Most values: their first and their last eight bytes, which may overlap.
            let (first, last) = (bytes.number(at: 0), bytes.number(at: count - 8))
            storeBytes(of: first, toByteOffset: offset, as: UInt64.self)
            storeBytes(of: last, toByteOffset: offset + count - 8, as: UInt64.self)
        default: UnsafeMutableRawBufferPointer(rebasing: self[offset..<offset + count]).copyMemory(from: bytes)
        }
        offset += count
    }

    func write(_ stamp: Stamp, _ offset: inout Int) {
        write(stamp.timestamp.rawValue, &offset)
        let (high, low) = stamp.replica.words
        write(high, &offset)
        write(low, &offset)
        let (first, second, third, fourth) = stamp.hash.numbers
        write(first, &offset)
        write(second, &offset)
        write(third, &offset)
        write(fourth, &offset)
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    fileprivate func number(at offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
}
