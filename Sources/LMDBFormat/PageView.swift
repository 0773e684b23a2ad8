import Foundation

/// The rows of one branch or leaf page, checked to lie inside it.
package struct PageView {
    /// A node: in a leaf a key with its value; in a branch a key with the page of everything not below it.
    package struct Node {
        package let offset: Int
        package let flags: UInt16
        package let keySize: Int
        /// Bytes of the value in a leaf, a page's number in a branch.
        package let payload: UInt

        package var keyOffset: Int { offset + PageLayout.nodeHeader }
        package var valueOffset: Int { keyOffset + keySize }
    }

    package struct Problem: Error {
        package let kind: StructureFault.Kind
        package let words: String
    }

    package let bytes: [UInt8]
    package let nodes: [Node]

    /// Of a whole page. Throws the problem with its rows' layout; reads nothing outside of `bytes`.
    package init(_ bytes: [UInt8], isLeaf: Bool) throws(Problem) {
        self.bytes = bytes
        let parsed = bytes.withUnsafeBytes { page in
            Result { () throws(Problem) in try Self.parse(page, isLeaf: isLeaf) }
        }
        nodes = try parsed.get()
    }

    private static func parse(_ page: UnsafeRawBufferPointer, isLeaf: Bool) throws(Problem) -> [Node] {
        let lower = Int(page.number(at: PageLayout.word + 4, as: UInt16.self))
        let upper = Int(page.number(at: PageLayout.word + 6, as: UInt16.self))
        guard lower % 2 == 0, PageLayout.header <= lower, lower <= upper, upper <= page.count else {
            throw Problem(kind: .pageLayout, words: "free room from \(lower) to \(upper) of \(page.count)")
        }
        var nodes: [Node] = []
        nodes.reserveCapacity((lower - PageLayout.header) / 2)
        var room = 0
        for pointer in stride(from: PageLayout.header, to: lower, by: 2) {
            let offset = Int(page.number(at: pointer, as: UInt16.self))
            guard offset % 2 == 0, upper <= offset, offset + PageLayout.nodeHeader <= page.count else {
                throw Problem(kind: .pageLayout, words: "row \(nodes.count) at \(offset) of \(page.count)")
            }
            let node = node(page, offset, isLeaf: isLeaf)
            let end = try end(of: node, number: nodes.count, isLeaf: isLeaf)
            guard end <= page.count else {
                throw Problem(
                    kind: .valueSize,
                    words: "row \(nodes.count) at \(offset), key of \(node.keySize), value of \(node.payload) bytes, "
                        + "ends beyond the page")
            }
            // Rows begin at even offsets.
            room += (end - offset + 1) & ~1
            nodes.append(node)
        }
        // LMDB leaves no gaps between rows; less room than they need means that some overlap.
        guard room == page.count - upper else {
            throw Problem(kind: .pageLayout, words: "\(nodes.count) rows of \(room) bytes in \(page.count - upper)")
        }
        return nodes
    }

    private static func node(_ page: UnsafeRawBufferPointer, _ offset: Int, isLeaf: Bool) -> Node {
        let low: UInt32 = page.number(at: offset)
        let flags: UInt16 = page.number(at: offset + 4)
        let keySize = Int(page.number(at: offset + 6, as: UInt16.self))
        if isLeaf { return Node(offset: offset, flags: flags, keySize: keySize, payload: UInt(low)) }
        // A branch has no flags: on 64-bit machines they hold the upper part of the page's number.
        let high = PageLayout.word == 8 ? UInt(flags) << 32 : 0
        return Node(offset: offset, flags: 0, keySize: keySize, payload: high | UInt(low))
    }

    /// The end of a row. Checks the length of its key and its flags, which say what the value is.
    private static func end(of node: Node, number: Int, isLeaf: Bool) throws(Problem) -> Int {
        // The first key of a branch stands for everything below the second, and is mostly left out.
        let least = isLeaf || number > 0 ? 1 : 0
        guard (least...PageLayout.maximumKey).contains(node.keySize) else {
            throw Problem(kind: .keySize, words: "row \(number) has a key of \(node.keySize) bytes")
        }
        guard isLeaf else { return node.valueOffset }
        switch node.flags {
        case 0: return node.valueOffset + Int(node.payload)
        case PageLayout.NodeFlags.bigData: return node.valueOffset + PageLayout.word
        case PageLayout.NodeFlags.subData:
            guard node.payload == UInt(PageLayout.treeRecord) else {
                throw Problem(kind: .valueSize, words: "row \(number) describes a table in \(node.payload) bytes")
            }
            return node.valueOffset + PageLayout.treeRecord
        default: throw Problem(kind: .rowFlags, words: "row \(number) has flags 0x\(String(node.flags, radix: 16))")
        }
    }

    package func key(_ index: Int) -> ArraySlice<UInt8> {
        let node = nodes[index]
        return bytes[node.keyOffset..<node.keyOffset + node.keySize]
    }

    /// The first row whose key is not above the one before it, among rows from `start` on.
    package func firstOutOfOrder(from start: Int, _ order: KeyOrder) -> Int? {
        guard nodes.count > start + 1 else { return nil }
        return bytes.withUnsafeBytes { page in
            func key(_ node: Node) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: page[node.keyOffset..<node.keyOffset + node.keySize])
            }
            var previous = key(nodes[start])
            for index in (start + 1)..<nodes.count {
                let current = key(nodes[index])
                if !order.isAscending(previous, current) { return index }
                previous = current
            }
            return nil
        }
    }

    /// Bytes of the value that lies in the page itself.
    package func withValue<T>(_ index: Int, count: Int, _ body: (UnsafeRawBufferPointer) -> T) -> T {
        let start = nodes[index].valueOffset
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
    }
}

/// The key order of a tree.
package enum KeyOrder {
    /// By their bytes, the shorter of equals first.
    case bytes
    /// As native integers, all of one size.
    case numbers

    package func isAscending(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .numbers: return first.number(at: 0, as: UInt.self) < second.number(at: 0, as: UInt.self)
        case .bytes:
            guard let one = first.baseAddress, let other = second.baseAddress else { return first.count < second.count }
            let difference = memcmp(one, other, min(first.count, second.count))
            return difference < 0 || difference == 0 && first.count < second.count
        }
    }

    package func isAscending(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
        first.withUnsafeBytes { one in second.withUnsafeBytes { other in isAscending(one, other) } }
    }
}
