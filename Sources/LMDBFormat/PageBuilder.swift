/// A page of a tree to which rows are added in key order: pointers from the front, the rows themselves from the back.
///
/// Not thread-safe.
package final class PageBuilder {
    package let bytes: UnsafeMutableRawBufferPointer
    private let flags: UInt16
    /// The bounds of the free room.
    @exclusivity(unchecked) private var lower = PageLayout.header
    @exclusivity(unchecked) private var upper: Int

    package init(size: Int, flags: UInt16) {
        bytes = .allocate(byteCount: size, alignment: 16)
        self.flags = flags
        upper = size
    }

    deinit { bytes.deallocate() }

    /// How many rows there are.
    package var count: Int { (lower - PageLayout.header) / 2 }

    /// Starts over. Old bytes stay until overwritten.
    package func removeAll() { (lower, upper) = (PageLayout.header, bytes.count) }

    /// Whether there is room for one more row of that many bytes, an even number.
    @inline(__always)
    package func hasRoom(for size: Int) -> Bool { upper - lower >= size + 2 }

    /// Allocates a row, for which there is room, and returns its offset.
    @inline(__always)
    package func add(_ size: Int) -> Int {
        upper -= size
        bytes.storeBytes(of: UInt16(truncatingIfNeeded: upper), toByteOffset: lower, as: UInt16.self)
        lower += 2
        return upper
    }

    /// Removes the last row and returns it: valid until the next one is added.
    package func removeLast() -> UnsafeRawBufferPointer {
        lower -= 2
        let start = upper
        let last = count
        upper = last == 0 ? bytes.count : Int(bytes.loadUnaligned(fromByteOffset: lower - 2, as: UInt16.self))
        return UnsafeRawBufferPointer(rebasing: bytes[start..<upper])
    }

    /// The page as it goes into the file, but for its number; valid until it is changed.
    package func finished() -> UnsafeRawBufferPointer {
        bytes.storeBytes(of: 0, toByteOffset: PageLayout.word, as: UInt16.self)
        bytes.storeBytes(of: flags, toByteOffset: PageLayout.word + 2, as: UInt16.self)
        bytes.storeBytes(of: UInt16(lower), toByteOffset: PageLayout.word + 4, as: UInt16.self)
        bytes.storeBytes(of: UInt16(upper), toByteOffset: PageLayout.word + 6, as: UInt16.self)
        // Clears old bytes of the free room.
        UnsafeMutableRawBufferPointer(rebasing: bytes[lower..<upper]).initializeMemory(as: UInt8.self, repeating: 0)
        return UnsafeRawBufferPointer(bytes)
    }
}
