/// Merges sorted runs of references into one sequence.
///
/// A heap of the runs by their next references: O(log runs) for each reference. The runs must stay in memory meanwhile.
struct ReferenceMerge {
    private struct Run {
        var next: EventReference
        var rest: UnsafeBufferPointer<EventReference>.SubSequence
    }

    /// A heap, the least first.
    private var heap: [Run]

    init(_ runs: [UnsafeBufferPointer<EventReference>]) {
        heap = runs.compactMap { run in run.first.map { Run(next: $0, rest: run.dropFirst()) } }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    /// Appends the next references in order, at most `limit`, until their events have that many bytes.
    mutating func take(_ limit: Int, bytes: Int = .max, into references: inout [EventReference]) {
        var (left, bytesLeft) = (limit, bytes)
        while left > 0, bytesLeft > 0, !heap.isEmpty {
            references.append(heap[0].next)
            left -= 1
            bytesLeft -= heap[0].next.length
            if let next = heap[0].rest.popFirst() {
                heap[0].next = next
            } else {
                heap[0] = heap[heap.count - 1]
                heap.removeLast()
            }
            sink(0)
        }
    }

    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            let (left, right) = (2 * parent + 1, 2 * parent + 2)
            if left < heap.count, EventReference.precedes(heap[left].next, heap[least].next) { least = left }
            if right < heap.count, EventReference.precedes(heap[right].next, heap[least].next) { least = right }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
