import Events

/// Commits as they are shown: without the leaves that erasures hide, which this log may still hold.
///
/// Owns the bytes that it makes for one read of a log. The newest copy is always valid; older ones go once all of them
/// are larger than a limit.
final class ShownCommits {
    private struct Shown {
        let stored: UnsafeRawPointer?
        let hidden: ErasedLeaves
        let bytes: UnsafeRawBufferPointer
    }

    /// The bytes that are kept of commits that are read one by one: the newest two at least.
    static let kept = 2 * CommitView.sizeLimit

    private let limit: Int
    private var made: [Position: Shown] = [:]
    /// In the order in which they were made; those before `oldest` are gone.
    private var copies: [(position: Position, bytes: UnsafeMutableRawBufferPointer)] = []
    private var oldest = 0
    /// The bytes of all copies.
    private(set) var size = 0

    /// Keeps copies up to a limit in bytes; with 0 the newest alone.
    init(keeping limit: Int = ShownCommits.kept) { self.limit = limit }

    /// The commit without its hidden leaves; nil if it has none that are held.
    func shown(_ view: CommitView, at position: Position, _ fate: CommitFate) throws(WireError) -> CommitView? {
        // Statements are never erased, and neither is a replica's introduction.
        guard view.header.isErasable else { return nil }
        let leafCount = view.leafCount
        let leaves = fate.hidden(leafCount).leaves(of: leafCount)
        guard !LeafSelection(leaves).isSubset(of: LeafSelection(view.erased)) else { return nil }
        if let known = made[position], known.hidden == leaves, known.stored == view.bytes.baseAddress {
            return try CommitView(known.bytes)
        }
        let bytes = copy(view.without(leaves), of: position)
        made[position] = Shown(stored: view.bytes.baseAddress, hidden: leaves, bytes: bytes)
        return try CommitView(bytes)
    }

    private func copy(_ bytes: [UInt8], of position: Position) -> UnsafeRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
        copy.copyBytes(from: bytes)
        size += copy.count
        while size > limit, oldest < copies.count {
            let (former, bytes) = copies[oldest]
            if made[former]?.bytes.baseAddress == UnsafeRawPointer(bytes.baseAddress) { made[former] = nil }
            size -= bytes.count
            bytes.deallocate()
            oldest += 1
        }
        if oldest > copies.count / 2 {
            copies.removeFirst(oldest)
            oldest = 0
        }
        copies.append((position, copy))
        return UnsafeRawBufferPointer(copy)
    }

    deinit { for copy in copies[oldest...] { copy.bytes.deallocate() } }
}
