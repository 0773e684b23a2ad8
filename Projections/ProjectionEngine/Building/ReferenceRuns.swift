import Events

/// References in sorted runs: what fits into memory stays there, the rest is spilled to a scratch file.
///
/// Memory: two blocks, whatever the number of references.
///
/// `@unchecked Sendable`: one thread at a time uses it; each collecting thread has its own, and the collector waits for
/// all of them.
final class ReferenceRuns: @unchecked Sendable {
    private struct ByEntity: RadixOrder {
        func key(_ element: EventReference) -> UInt64 { element.high }
        func precedes(_ a: EventReference, _ b: EventReference) -> Bool { EventReference.precedes(a, b) }
    }

    private let folder: String
    // The system provides the memory page by page, on first use.
    private let block: UnsafeMutableBufferPointer<EventReference>
    private var used = 0
    private var file: ScratchFile?
    private var written: [Range<Int>] = []

    /// `folder` is for a scratch file; `blockSize` is the maximum number of references in a run: 4 MiB.
    init(folder: String, blockSize: Int = 1 << 17) {
        self.folder = folder
        block = UnsafeMutableBufferPointer.allocate(capacity: blockSize)
    }

    deinit { block.deallocate() }

    /// The number of references.
    private(set) var count = 0

    /// Adds a reference. Throws `ProjectionError.failed` if there is no room for it.
    @inline(__always)
    func append(_ reference: EventReference) throws(ProjectionError) {
        if used == block.count { try spill() }
        block.initializeElement(at: used, to: reference)
        used += 1
        count += 1
    }

    private func spill() throws(ProjectionError) {
        sortBlock()
        let file = if let file { file } else { try ScratchFile(in: folder) }
        self.file = file
        written.append(try file.append(UnsafeRawBufferPointer(block)))
        used = 0
    }

    private func sortBlock() {
        let scratch = UnsafeMutableBufferPointer<EventReference>.allocate(capacity: used)
        defer { scratch.deallocate() }
        RadixSort(order: ByEntity()).sort(UnsafeMutableBufferPointer(rebasing: block[..<used])) { scratch }
    }

    /// Sorts the last block, after everything was added.
    func finish() { sortBlock() }

    /// The sorted runs in the order in which their references were added; valid as long as this object.
    func runs() throws(ProjectionError) -> [UnsafeBufferPointer<EventReference>] {
        var runs: [UnsafeBufferPointer<EventReference>] = []
        if let file {
            let contents = try file.contents()
            // Written from references as they lie in memory, and at a multiple of their size from the start of a page.
            for range in written {
                runs.append(contents.part(range).bindMemory(to: EventReference.self))
            }
        }
        if used > 0 { runs.append(UnsafeBufferPointer(rebasing: block[..<used])) }
        return runs
    }
}
