import Events

/// Sorted rows one after another, as they lie in a scratch file: length of the key and of the value (4 bytes each, in
/// native byte order), then both.
enum RowRun {
    struct Row {
        let key: UnsafeRawBufferPointer
        let value: UnsafeRawBufferPointer
    }

    private static let headSize = 8

    static func encode(_ sink: RowSink) -> [UInt8] {
        let size = sink.rows.reduce(0) { $0 + headSize + Int($1.keyCount) + Int($1.valueCount) }
        return [UInt8](unsafeUninitializedCapacity: size) { target, count in
            let target = UnsafeMutableRawBufferPointer(target)
            for row in sink.rows {
                sink.withRow(row) { key, value in
                    target.storeBytes(of: row.keyCount, toByteOffset: count, as: UInt32.self)
                    target.storeBytes(of: row.valueCount, toByteOffset: count + 4, as: UInt32.self)
                    UnsafeMutableRawBufferPointer(rebasing: target[(count + headSize)...]).copyMemory(from: key)
                    if !value.isEmpty {
                        UnsafeMutableRawBufferPointer(rebasing: target[(count + headSize + key.count)...])
                            .copyMemory(from: value)
                    }
                }
                count += headSize + Int(row.keyCount) + Int(row.valueCount)
            }
        }
    }

    /// The first row, and the rest; nil if there is none. The bytes are those of `encode`.
    static func first(of run: UnsafeRawBufferPointer) -> (Row, rest: UnsafeRawBufferPointer)? {
        guard run.count >= headSize else { return nil }
        let keyEnd = headSize + Int(run.loadUnaligned(as: UInt32.self))
        let end = keyEnd + Int(run.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        return (Row(key: run.part(headSize..<keyEnd), value: run.part(keyEnd..<end)), run.part(from: end))
    }
}

/// Runs in fixed memory, so that several can be pointed into at once. The parts are valid as long as this object is.
final class RowRuns {
    private let memory: UnsafeMutableRawBufferPointer
    let parts: [UnsafeRawBufferPointer]

    init(_ runs: [[UInt8]]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: runs.reduce(0) { $0 + $1.count }, alignment: 8)
        var parts: [UnsafeRawBufferPointer] = []
        var offset = 0
        for run in runs where !run.isEmpty {
            let part = UnsafeMutableRawBufferPointer(rebasing: memory[offset..<offset + run.count])
            run.withUnsafeBytes { part.copyMemory(from: $0) }
            parts.append(UnsafeRawBufferPointer(part))
            offset += run.count
        }
        self.memory = memory
        self.parts = parts
    }

    deinit { memory.deallocate() }
}

/// Merges sorted runs of rows. A heap of the runs by their next rows: O(log runs) a row.
struct RowMerge {
    private struct Run {
        var next: RowRun.Row
        var rest: UnsafeRawBufferPointer
        /// The first bytes of the next row's key, as for a row in a sink: mostly enough to compare.
        var prefix: UInt64

        @inline(__always)
        init(_ next: RowRun.Row, _ rest: UnsafeRawBufferPointer) {
            self.next = next
            self.rest = rest
            prefix = RowSink.Row.prefix(of: next.key)
        }

        @inline(__always)
        func precedes(_ other: Run) -> Bool {
            prefix == other.prefix ? RowOrder.compare(next.key, other.next.key) < 0 : prefix < other.prefix
        }
    }

    /// A heap, the least first.
    private var heap: [Run]

    /// The runs must stay in memory meanwhile.
    init(_ runs: [UnsafeRawBufferPointer]) {
        heap = runs.compactMap { RowRun.first(of: $0).map { Run($0, $1) } }
        for node in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(node) }
    }

    mutating func next() -> RowRun.Row? {
        guard let least = heap.first else { return nil }
        if let (next, rest) = RowRun.first(of: least.rest) {
            heap[0] = Run(next, rest)
        } else {
            heap[0] = heap[heap.count - 1]
            heap.removeLast()
        }
        sink(0)
        return least.next
    }

    private mutating func sink(_ start: Int) {
        heap.withUnsafeMutableBufferPointer { heap in
            var node = start
            while true {
                var least = node
                let (left, right) = (2 * node + 1, 2 * node + 2)
                if left < heap.count, heap[left].precedes(heap[least]) { least = left }
                if right < heap.count, heap[right].precedes(heap[least]) { least = right }
                if least == node { return }
                heap.swapAt(node, least)
                node = least
            }
        }
    }
}
