import Foundation
package import Platform

/// The pages of a new data file after the first two, numbered in the order in which they are added.
///
/// Not thread-safe.
package final class PageOutput {
    package let pageSize: Int
    /// Bytes per write call. Linux keeps what is written at once in one large folio of the page cache where it can, and later writes of
    /// single pages of it take longer: those of the views after an append took 112 µs of processor time where the file was written by 1 MiB,
    /// and take 43 µs. A rebuild takes as long.
    private static let bufferSize = 1 << 16

    private let path: String
    private let descriptor: Int32
    /// Pages not yet written, the last of them just before `next`.
    private let buffer: UnsafeMutableRawBufferPointer
    private var used = 0
    /// The first failure: pages added later would not lie where their numbers say.
    private var failure: StorageError?
    /// The file offset of the buffer's first byte.
    private var offset: Int
    /// The number that the next page gets.
    package private(set) var next: UInt = 2

    /// Creates the file, where none is. Throws `StorageError`.
    package init(path: String, pageSize: Int) throws(StorageError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno, "create", path: path) }
        self.path = path
        self.pageSize = pageSize
        offset = 2 * pageSize
        buffer = .allocate(byteCount: max(Self.bufferSize / pageSize, 1) * pageSize, alignment: 16)
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    /// Adds a page, and returns its number, which is set in the page.
    package func append(_ page: UnsafeRawBufferPointer) throws(StorageError) -> UInt {
        if used == buffer.count { try flush() }
        let slot = UnsafeMutableRawBufferPointer(rebasing: buffer[used..<used + pageSize])
        slot.copyMemory(from: page)
        slot.storeBytes(of: next, as: UInt.self)
        used += pageSize
        defer { next += 1 }
        return next
    }

    /// Adds the overflow pages of a large value, and returns the number of the first and how many there are.
    package func append(value: UnsafeRawBufferPointer) throws(StorageError) -> (first: UInt, count: UInt) {
        let count = (PageLayout.header + value.count + pageSize - 1) / pageSize
        let first = next
        var rest = value
        for page in 0..<count {
            if used == buffer.count { try flush() }
            var slot = UnsafeMutableRawBufferPointer(rebasing: buffer[used..<used + pageSize])
            if page == 0 {
                slot.storeBytes(of: first, as: UInt.self)
                slot.storeBytes(of: 0, toByteOffset: PageLayout.word, as: UInt16.self)
                slot.storeBytes(
                    of: PageLayout.PageFlags.overflow, toByteOffset: PageLayout.word + 2, as: UInt16.self)
                slot.storeBytes(of: UInt32(count), toByteOffset: PageLayout.word + 4, as: UInt32.self)
                slot = UnsafeMutableRawBufferPointer(rebasing: slot[PageLayout.header...])
            }
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(slot.count))
            slot.copyMemory(from: part)
            UnsafeMutableRawBufferPointer(rebasing: slot[part.count...]).initializeMemory(as: UInt8.self, repeating: 0)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
            used += pageSize
        }
        next += UInt(count)
        return (first, UInt(count))
    }

    /// Writes buffered pages to the file. After a failure, here or in `append`, it always fails.
    package func flush() throws(StorageError) {
        if let failure { throw failure }
        do throws(StorageError) {
            try write(UnsafeRawBufferPointer(rebasing: buffer[..<used]), at: offset)
        } catch {
            failure = error
            throw error
        }
        offset += used
        used = 0
    }

    /// Writes bytes at an offset.
    package func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
        try FileSystem.write(bytes, at: offset, to: descriptor, path)
    }

    /// The same for raw bytes.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
        try FileSystem.write(bytes, at: offset, to: descriptor, path)
    }
}
