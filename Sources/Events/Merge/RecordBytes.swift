/// Writes parts of records one after another; the caller has made sure of the room.
extension UnsafeMutableRawBufferPointer {
    // Debug builds check the bounds. Release builds rely on the computed sizes: `RecordMerger.finish()` counts ten
    // bytes for each number.

    @inline(__always)
    package func write(varint value: UInt64, _ place: inout Int) {
        var rest = value
        while rest >= 0x80 {
            self[place] = UInt8(truncatingIfNeeded: rest) | 0x80
            rest >>= 7
            place += 1
        }
        self[place] = UInt8(truncatingIfNeeded: rest)
        place += 1
    }

    @inline(__always)
    package func write(_ number: UInt64, _ place: inout Int) {
        storeBytes(of: number.bigEndian, toByteOffset: place, as: UInt64.self)
        place += 8
    }

    @inline(__always)
    package func write(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) {
        let count = bytes.count
        switch count {
        case 0: return
        case 8...16:
            // Most values: their first and their last eight bytes, which may overlap.
            let (first, last) = (bytes.number(at: 0), bytes.number(at: count - 8))
            storeBytes(of: first, toByteOffset: place, as: UInt64.self)
            storeBytes(of: last, toByteOffset: place + count - 8, as: UInt64.self)
        default: UnsafeMutableRawBufferPointer(rebasing: self[place..<place + count]).copyMemory(from: bytes)
        }
        place += count
    }

    func write(_ stamp: Stamp, _ place: inout Int) {
        write(stamp.timestamp.rawValue, &place)
        let (high, low) = stamp.replica.words
        write(high, &place)
        write(low, &place)
        let (first, second, third, fourth) = stamp.hash.numbers
        write(first, &place)
        write(second, &place)
        write(third, &place)
        write(fourth, &place)
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    fileprivate func number(at offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
}
