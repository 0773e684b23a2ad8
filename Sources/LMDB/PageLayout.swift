/// The fixed numbers of LMDB's file format, data version 1.
///
/// The format is the memory of the machine that wrote it: its byte order and its word size.
enum PageLayout {
    /// Bytes of a page number, a transaction's number and a size.
    static let word = MemoryLayout<UInt>.size
    /// Number, padding, flags, and the bounds of the free room (or the count of pages).
    static let header = word + 8
    /// The description of one tree.
    static let treeRecord = 8 + 5 * word
    /// Two halves of a size or page number, flags, length of the key.
    static let nodeHeader = 8
    /// Magic, version, address and size of the map, two trees, last page, transaction.
    static let meta = 8 + 2 * word + 2 * treeRecord + 2 * word
    static let magic: UInt32 = 0xBEEF_C0DE
    static let version: UInt32 = 1
    /// Offsets in a page have 16 bits, and the end of a page must be one.
    static let pageSizes = 512...32768
    /// What a tree without pages has for a root.
    static let noPage = UInt.max
    static let maximumKey = 511
    /// As deep as a cursor of LMDB goes.
    static let maximumDepth = 32

    enum PageFlags {
        static let branch: UInt16 = 0x01
        static let leaf: UInt16 = 0x02
        static let overflow: UInt16 = 0x04
        static let meta: UInt16 = 0x08
    }

    enum NodeFlags {
        /// The value lies in pages of its own.
        static let bigData: UInt16 = 0x01
        /// The value describes a named table.
        static let subData: UInt16 = 0x02
    }

    enum TreeFlags {
        /// Keys are numbers: so in the free list, and nowhere else here.
        static let integerKey: UInt16 = 0x08
        /// Not of the tree but of the environment: it was made without a folder.
        static let noFolder: UInt16 = 0x4000
    }
}

extension UnsafeRawBufferPointer {
    /// The number at an offset, which the caller has checked; a wrong one stops the program and reads nothing.
    func number<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T {
        loadUnaligned(fromByteOffset: offset, as: type)
    }
}
