/// The branches of one level of a tree being built.
///
/// A branch must have two pages below it or more. So a full one is kept until the next one has as many: otherwise the
/// last one could have a single page, when it is too late to give it another.
package struct BranchLevel {
    package struct Branch {
        package let page: PageBuilder
        /// The first key below it, which it does not hold itself.
        package var firstKey: [UInt8] = []
    }

    private let pageSize: Int
    private var kept: Branch?
    private var current: Branch

    package init(pageSize: Int) {
        self.pageSize = pageSize
        current = Self.branch(pageSize)
    }

    private static func branch(_ pageSize: Int) -> Branch {
        Branch(page: PageBuilder(size: pageSize, flags: PageLayout.PageFlags.branch))
    }

    /// Adds a page and the first key below it; returns a branch to write now, if there is one.
    package mutating func add(_ page: UInt, _ key: [UInt8]) -> Branch? {
        if current.page.count > 0, !current.page.hasRoom(for: Self.size(key)) {
            kept = current
            current = Self.branch(pageSize)
        }
        put(page, key)
        guard current.page.count == 2 else { return nil }
        defer { kept = nil }
        return kept
    }

    /// Ends the level: returns its last branch, and one to write before it, if there is one.
    package mutating func finish() -> (before: Branch?, last: Branch) {
        guard let before = kept, current.page.count == 1 else { return (kept, current) }
        // The last page of the previous branch becomes the first of this one.
        let moved = before.page.removeLast()
        let (page, key) = (Self.page(of: moved), Self.key(of: moved))
        let (last, lastKey) = (Self.page(of: current.page.removeLast()), current.firstKey)
        put(page, key)
        put(last, lastKey)
        return (before, current)
    }

    private mutating func put(_ page: UInt, _ key: [UInt8]) {
        if current.page.count == 0 {
            current.firstKey = key
            current.page.addBranchRow(page, [])
        } else {
            current.page.addBranchRow(page, key)
        }
    }

    fileprivate static func size(_ key: [UInt8]) -> Int { (PageLayout.nodeHeader + key.count + 1) & ~1 }

    private static func page(of row: UnsafeRawBufferPointer) -> UInt {
        let low = UInt(row.number(at: 0, as: UInt32.self))
        return PageLayout.word == 8 ? UInt(row.number(at: 4, as: UInt16.self)) << 32 | low : low
    }

    private static func key(of row: UnsafeRawBufferPointer) -> [UInt8] {
        Array(row[PageLayout.nodeHeader..<PageLayout.nodeHeader + Int(row.number(at: 6, as: UInt16.self))])
    }
}

extension PageBuilder {
    /// The key of the first row of a leaf.
    package var firstKey: [UInt8] {
        let start = Int(bytes.loadUnaligned(fromByteOffset: PageLayout.header, as: UInt16.self))
        let size = Int(bytes.loadUnaligned(fromByteOffset: start + 6, as: UInt16.self))
        return Array(bytes[start + PageLayout.nodeHeader..<start + PageLayout.nodeHeader + size])
    }

    /// Adds a page to a branch, which has room for it.
    fileprivate func addBranchRow(_ page: UInt, _ key: [UInt8]) {
        let offset = add(BranchLevel.size(key))
        bytes.storeBytes(of: UInt32(truncatingIfNeeded: page), toByteOffset: offset, as: UInt32.self)
        // On 64-bit machines the flags hold the upper part of the number.
        let upper = PageLayout.word == 8 ? UInt16(truncatingIfNeeded: page >> 32) : 0
        bytes.storeBytes(of: upper, toByteOffset: offset + 4, as: UInt16.self)
        bytes.storeBytes(of: UInt16(key.count), toByteOffset: offset + 6, as: UInt16.self)
        key.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(rebasing: bytes[(offset + PageLayout.nodeHeader)...]).copyMemory(from: $0)
        }
    }
}
