extension RecordMerger {
    /// Appends the record's bytes, the same as `EntityRecord.encoded()`.
    package mutating func encode(into bytes: inout [UInt8]) {
        let limit = finish()
        bytes += [UInt8](unsafeUninitializedCapacity: limit) { $1 = write(to: UnsafeMutableRawBufferPointer($0)) }
    }

    /// Finishes the merge, and returns the maximum size of the record in bytes. No event may be applied between this and
    /// `write(to:)`.
    package mutating func finish() -> Int {
        if late.count > 0 { mergeLate() }
        used = rankStamps()
        return 48 + used * Stamp.encodedSize + registerLimit
    }

    /// Writes the record's bytes, the same as `EntityRecord.encoded()`, and returns their number. Call `finish()` before;
    /// `bytes` must have the size that it returned, and must not overlap keys or values.
    package func write(to bytes: UnsafeMutableRawBufferPointer) -> Int {
        var offset = 0
        write(used, to: bytes, &offset)
        return offset
    }

    private func write(_ used: Int, to bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
        bytes.write(varint: version.events, &offset)
        bytes.write(version.fingerprint, &offset)
        bytes.write(varint: UInt64(used), &offset)
        for rank in 0..<used { bytes.write(stamps[Int(order[rank])], &offset) }
        bytes.write(varint: creation < 0 ? 0 : UInt64(ranks[Int(creation)] + 1), &offset)
        for index in 0..<registers.count {
            let register = registers[index]
            let rank = UInt32(truncatingIfNeeded: ranks[Int(register.stamp)])
            let length = register.isCleared ? 0 : register.value.count + 1
            if register.key.isEmpty, register.field < 0x80, rank < 0x80, length < 0x80 {
                // The common case: four numbers of one byte.
                let field = UInt32(truncatingIfNeeded: register.field)
                let head = field | rank << 16 | UInt32(truncatingIfNeeded: length) << 24
                bytes.storeBytes(of: head.littleEndian, toByteOffset: offset, as: UInt32.self)
                offset += 4
            } else {
                bytes.write(varint: register.field, &offset)
                bytes.write(varint: UInt64(register.key.count), &offset)
                bytes.write(register.key, &offset)
                bytes.write(varint: UInt64(rank), &offset)
                bytes.write(varint: UInt64(length), &offset)
            }
            bytes.write(register.value, &offset)
        }
    }

    /// Ranks the stamps in use in merge order, and returns their number; `order` then lists them, each once.
    private mutating func rankStamps() -> Int {
        // Most entities have only one stamp, and so had the previous one: its ranks still hold.
        if stamps.count == 1, ranks.count == 1, order.count == 1, creation == 0 || registers.count > 0 { return 1 }
        ranks.removeAll()
        order.removeAll()
        if stamps.count == 1, creation == 0 || registers.count > 0 {
            ranks.append(0)
            order.append(0)
            return 1
        }
        for _ in 0..<stamps.count { ranks.append(-1) }
        if creation >= 0 { use(creation) }
        for index in 0..<registers.count { use(registers[index].stamp) }
        sortOrder()
        // The same stamp may be here twice, if not in a row.
        var count = 0
        for index in 0..<order.count {
            let stamp = order[index]
            if count == 0 || stamps[Int(order[count - 1])] != stamps[Int(stamp)] {
                order[count] = stamp
                count += 1
            }
            ranks[Int(stamp)] = Int32(count - 1)
        }
        return count
    }

    /// An insertion sort for few stamps, the common case: mostly they are in order.
    private mutating func sortOrder() {
        if order.count > 16 {
            var sorted = (0..<order.count).map { order[$0] }
            sorted.sort { stamps[Int($0)] < stamps[Int($1)] }
            for (index, stamp) in sorted.enumerated() { order[index] = stamp }
            return
        }
        guard order.count > 1 else { return }
        for index in 1..<order.count {
            let moved = order[index]
            var free = index
            while free > 0, stamps[Int(moved)] < stamps[Int(order[free - 1])] {
                order[free] = order[free - 1]
                free -= 1
            }
            order[free] = moved
        }
    }

    private mutating func use(_ stamp: Int32) {
        guard ranks[Int(stamp)] < 0 else { return }
        ranks[Int(stamp)] = 0
        order.append(stamp)
    }
}
