import LMDBFormat

/// One transaction as it lies in a write-ahead file.
struct WriteAheadFrame: Hashable {
    /// The offsets of its changes in the bytes that hold it.
    let changes: Range<Int>

    /// The offset at which the next frame begins.
    private var end: Int { changes.lowerBound - WriteAheadFile.frameHead + Self.size(ofChanges: changes.count) }

    /// Bytes of a frame with that many bytes of changes.
    static func size(ofChanges count: Int) -> Int {
        (WriteAheadFile.frameHead + count + WriteAheadHeader.block - 1) / WriteAheadHeader.block
            * WriteAheadHeader.block
    }

    /// Turns recorded changes, with room before them for the frame's head, into a frame, and continues the checksum.
    static func seal(
        _ changes: RecordedChanges, transaction: UInt, generation: UInt64, _ checksum: inout WriteAheadChecksum
    ) {
        let count = changes.count
        changes.withReserved { head in
            head.storeBytes(of: generation.littleEndian, toByteOffset: 0, as: UInt64.self)
            head.storeBytes(of: UInt64(transaction).littleEndian, toByteOffset: 8, as: UInt64.self)
            head.storeBytes(of: UInt32(count).littleEndian, toByteOffset: 16, as: UInt32.self)
            head.storeBytes(of: 0, toByteOffset: 20, as: UInt32.self)
        }
        let offset = WriteAheadFile.frameHead
        changes.bytes.withUnsafeBytes { bytes in
            checksum.add(UnsafeRawBufferPointer(rebasing: bytes[..<24]))
            checksum.add(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        changes.withReserved { $0.storeBytes(of: checksum.value.littleEndian, toByteOffset: 24, as: UInt64.self) }
        changes.pad(to: WriteAheadHeader.block)
    }

    /// The frames that follow a header, up to the first that does not fit.
    static func all(in bytes: UnsafeRawBufferPointer, after header: WriteAheadHeader) -> [WriteAheadFrame] {
        var frames: [WriteAheadFrame] = []
        var checksum = WriteAheadChecksum(seed: header.salt)
        var offset = 0
        while offset + WriteAheadFile.frameHead <= bytes.count {
            let head = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + WriteAheadFile.frameHead])
            let count = Int(UInt32(littleEndian: head.number(at: 16)))
            let start = offset + WriteAheadFile.frameHead
            guard UInt64(littleEndian: head.number(at: 0)) == header.generation,
                UInt64(littleEndian: head.number(at: 8)) == UInt64(header.transaction) + UInt64(frames.count) + 1,
                count <= bytes.count - start
            else { break }
            checksum.add(UnsafeRawBufferPointer(rebasing: head[..<24]))
            checksum.add(UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            guard checksum.value == UInt64(littleEndian: head.number(at: 24)) else { break }
            frames.append(
                WriteAheadFrame(changes: start..<start + count))
            offset += size(ofChanges: count)
        }
        return frames
    }

    /// Whether nothing but zeros lies behind the frame at the beginning.
    static func isFirstAlone(in bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= WriteAheadFile.frameHead else { return true }
        let count = Int(UInt32(littleEndian: bytes.number(at: 16)))
        return bytes.dropFirst(size(ofChanges: count)).allSatisfy { $0 == 0 }
    }

    /// The greatest transaction that must have been synced after those of the frames that fit: a frame is written only after the one before it
    /// was synced. Its checksum cannot be verified without that one, but generation and number are those of no older frame.
    ///
    /// The frames that fit are passed over: a block of their changes may look like the head of a frame.
    static func last(
        in bytes: UnsafeRawBufferPointer, after header: WriteAheadHeader, beyond frames: [WriteAheadFrame]
    ) -> UInt {
        let last = header.transaction + UInt(frames.count)
        var found = last
        for offset in stride(from: frames.last?.end ?? 0, to: bytes.count, by: WriteAheadHeader.block) {
            guard offset + WriteAheadFile.frameHead <= bytes.count else { break }
            let head = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + WriteAheadFile.frameHead])
            let number = UInt64(littleEndian: head.number(at: 8))
            guard UInt64(littleEndian: head.number(at: 0)) == header.generation, number > UInt64(last) + 1,
                number - UInt64(last) <= UInt64(bytes.count / WriteAheadHeader.block),
                UInt32(littleEndian: head.number(at: 20)) == 0,
                Int(UInt32(littleEndian: head.number(at: 16))) <= bytes.count - offset - WriteAheadFile.frameHead
            else { continue }
            found = max(found, UInt(number) - 1)
        }
        return found
    }
}
