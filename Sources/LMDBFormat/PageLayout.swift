/// The fixed numbers of LMDB's file format, data version 1.
///
/// The format is the memory of the machine that wrote it: its byte order and its word size.
package enum PageLayout {
    /// Bytes of a page number, a transaction's number and a size.
    package static let word = MemoryLayout<UInt>.size
    /// Number, padding, flags, and the bounds of the free room (or the count of pages).
    package static let header = word + 8
    /// The description of one tree.
    package static let treeRecord = 8 + 5 * word
    /// Two halves of a size or page number, flags, length of the key.
    package static let nodeHeader = 8
    /// Magic, version, address and size of the map, two trees, last page, transaction.
    package static let meta = 8 + 2 * word + 2 * treeRecord + 2 * word
    package static let magic: UInt32 = 0xBEEF_C0DE
    package static let version: UInt32 = 1
    /// Offsets in a page have 16 bits, and the end of a page must be one.
    package static let pageSizes = 512...32768
    /// The root of a tree without pages.
    package static let noPage = UInt.max
    package static let maximumKey = 511
    /// The depth that a cursor of LMDB supports.
    package static let maximumDepth = 32

    package enum PageFlags {
        package static let branch: UInt16 = 0x01
        package static let leaf: UInt16 = 0x02
        package static let overflow: UInt16 = 0x04
        package static let meta: UInt16 = 0x08
    }

    package enum NodeFlags {
        /// The value lies in pages of its own.
        package static let bigData: UInt16 = 0x01
        /// The value describes a named table.
        package static let subData: UInt16 = 0x02
    }

    package enum TreeFlags {
        /// Keys are numbers: in the free list alone.
        package static let integerKey: UInt16 = 0x08
        /// Not of the tree but of the environment: it was made without a folder.
        package static let noFolder: UInt16 = 0x4000
    }
}

extension UnsafeRawBufferPointer {
    /// The number at an offset, which the caller has checked; a wrong one stops the program and reads nothing.
    package func number<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T {
        loadUnaligned(fromByteOffset: offset, as: type)
    }
}
