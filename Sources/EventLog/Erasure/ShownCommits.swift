import Events

/// Commits as they are shown: without the leaves that erasures hide, which this log may still hold.
///
/// Owns the bytes that it made for one read of a log, so that they are valid as long as those in the log's map.
final class ShownCommits {
    private struct Shown {
        let stored: UnsafeRawPointer?
        let hidden: ErasedLeaves
        let bytes: UnsafeRawBufferPointer
    }

    private var made: [Position: Shown] = [:]
    private var owned: [UnsafeMutableRawBufferPointer] = []

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
        let bytes = view.without(leaves)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
        copy.copyBytes(from: bytes)
        owned.append(copy)
        let shown = UnsafeRawBufferPointer(copy)
        made[position] = Shown(stored: view.bytes.baseAddress, hidden: leaves, bytes: shown)
        return try CommitView(shown)
    }

    deinit { for bytes in owned { bytes.deallocate() } }
}
