import Foundation

/// Pages added at the end of a data file, numbered as they come.
///
/// Not for several threads at once.
final class PageOutput {
    let pageSize: Int
    private let path: String
    private let descriptor: Int32
    /// What was not written yet: whole pages, the last of them just before `next`.
    private let buffer: UnsafeMutableRawBufferPointer
    private var used = 0
    /// What went wrong first: what is added later would not be where its number says.
    private var failure: LMDBError?
    /// Throws if the file's end is not free any more.
    private let check: () throws(LMDBError) -> Void
    /// Where in the file the buffer's first byte goes.
    private var offset: Int
    /// The number that the next page gets.
    private(set) var next: UInt

    /// `descriptor` is open for writing, and stays so; `next` is the number of the first page after those that are used.
    /// `check` is called before anything is written there, and throws if somebody else has taken it.
    init(
        path: String, descriptor: Int32, pageSize: Int, next: UInt, bufferSize: Int = 1 << 20,
        check: @escaping () throws(LMDBError) -> Void
    ) {
        self.check = check
        self.path = path
        self.descriptor = descriptor
        self.pageSize = pageSize
        self.next = next
        offset = Int(next) * pageSize
        buffer = .allocate(byteCount: max(bufferSize / pageSize, 1) * pageSize, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// Adds a page, and answers its number, which it bears from then on.
    func append(_ page: UnsafeRawBufferPointer) throws(LMDBError) -> UInt {
        if used == buffer.count { try flush() }
        let place = UnsafeMutableRawBufferPointer(rebasing: buffer[used..<used + pageSize])
        place.copyMemory(from: page)
        place.storeBytes(of: next, as: UInt.self)
        used += pageSize
        defer { next += 1 }
        return next
    }

    /// Adds the pages of a value that has no room in a row, and answers the number of the first and how many there are.
    func append(value: UnsafeRawBufferPointer) throws(LMDBError) -> (first: UInt, count: UInt) {
        let count = (PageLayout.header + value.count + pageSize - 1) / pageSize
        let first = next
        var rest = value
        for page in 0..<count {
            if used == buffer.count { try flush() }
            var place = UnsafeMutableRawBufferPointer(rebasing: buffer[used..<used + pageSize])
            if page == 0 {
                place.storeBytes(of: first, as: UInt.self)
                place.storeBytes(of: 0, toByteOffset: PageLayout.word, as: UInt16.self)
                place.storeBytes(
                    of: PageLayout.PageFlags.overflow, toByteOffset: PageLayout.word + 2, as: UInt16.self)
                place.storeBytes(of: UInt32(count), toByteOffset: PageLayout.word + 4, as: UInt32.self)
                place = UnsafeMutableRawBufferPointer(rebasing: place[PageLayout.header...])
            }
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(place.count))
            place.copyMemory(from: part)
            UnsafeMutableRawBufferPointer(rebasing: place[part.count...]).initializeMemory(as: UInt8.self, repeating: 0)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
            used += pageSize
        }
        next += UInt(count)
        return (first, UInt(count))
    }

    /// Hands what was added to the system. Once this has failed, here or when more was added, it fails ever after.
    func flush() throws(LMDBError) {
        if let failure { throw failure }
        do throws(LMDBError) {
            try check()
            try write(UnsafeRawBufferPointer(rebasing: buffer[..<used]), at: offset)
        } catch {
            failure = error
            throw error
        }
        offset += used
        used = 0
    }

    /// Writes bytes at an offset.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(LMDBError) {
        var done = 0
        while done < bytes.count, let start = bytes.baseAddress {
            let count = pwrite(descriptor, start + done, bytes.count - done, off_t(offset + done))
            guard count > 0 else {
                if count < 0 && errno == EINTR { continue }
                throw LMDBError(count < 0 ? errno : ENOSPC, "write to", path: path)
            }
            done += count
        }
    }
}
