import Foundation
import Synchronization

/// Slots for readers, each with a reset transaction that its last reader left for the next.
///
/// Each thread starts its search at its own slot, so that threads that read at the same time do not contend for cache
/// lines.
///
/// `@unchecked Sendable`: the memory is allocated and freed here, and holds atomics alone.
final class ReadTransactionPool: @unchecked Sendable {
    /// Each kept transaction holds a reader slot, so their number is bounded.
    private static let count = 16
    /// A cache line of the processor, or two that are fetched together.
    private static let line = 128

    // A value of `state`; any other value is the address of the kept transaction.
    private static let empty: UInt = 0
    private static let taken: UInt = 1

    private struct Slot: ~Copyable {
        let state = Atomic<UInt>(ReadTransactionPool.empty)
        /// Short accesses to the map in progress.
        let accesses = Atomic<Int>(0)
    }

    private let memory: UnsafeMutableRawPointer

    init() {
        memory = .allocate(byteCount: Self.count * Self.line, alignment: Self.line)
        for index in 0..<Self.count {
            (memory + index * Self.line).bindMemory(to: Slot.self, capacity: 1).initialize(to: Slot())
        }
    }

    deinit {
        for index in 0..<Self.count { slot(index).deinitialize(count: 1) }
        memory.deallocate()
    }

    private func slot(_ index: Int) -> UnsafeMutablePointer<Slot> {
        (memory + index * Self.line).assumingMemoryBound(to: Slot.self)
    }

    /// Where the calling thread starts its search.
    private var own: Int {
        // A number or a pointer, as the C library has it.
        let thread = withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
        // Fibonacci hashing: the bits in which thread addresses differ may be anywhere.
        return Int(truncatingIfNeeded: (UInt64(thread) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }

    /// Takes a free slot, with the transaction kept there; nil if all are taken.
    func take() -> (slot: Int, kept: OpaquePointer?)? {
        let own = own
        for step in 0..<Self.count {
            let index = (own + step) % Self.count
            let state = slot(index).pointee.state.load(ordering: .relaxed)
            guard state != Self.taken else { continue }
            let (isMine, _) = slot(index).pointee.state.compareExchange(
                expected: state, desired: Self.taken, ordering: .sequentiallyConsistent)
            if isMine { return (index, OpaquePointer(bitPattern: state)) }
        }
        return nil
    }

    /// Frees a slot, with a reset transaction for its next reader.
    func leave(_ index: Int, keeping transaction: OpaquePointer?) {
        slot(index).pointee.state.store(UInt(bitPattern: transaction), ordering: .sequentiallyConsistent)
    }

    var areTaken: Bool {
        (0..<Self.count).contains { slot($0).pointee.state.load(ordering: .sequentiallyConsistent) == Self.taken }
    }

    /// Counts a short access; returns its slot's index.
    func beginAccess() -> Int {
        let index = own
        slot(index).pointee.accesses.add(1, ordering: .sequentiallyConsistent)
        return index
    }

    func endAccess(_ index: Int) { slot(index).pointee.accesses.subtract(1, ordering: .sequentiallyConsistent) }

    var hasAccesses: Bool {
        (0..<Self.count).contains { slot($0).pointee.accesses.load(ordering: .sequentiallyConsistent) > 0 }
    }

    /// Passes on every kept transaction and leaves the slots empty. No reader is left. One that is about to find that it may not enter may
    /// have a slot for a moment, with the transaction in it.
    func drain(_ release: (OpaquePointer) -> Void) {
        for index in 0..<Self.count {
            while true {
                let state = slot(index).pointee.state.load(ordering: .sequentiallyConsistent)
                if state == Self.empty { break }
                let isFree = state != Self.taken
                if isFree,
                    slot(index).pointee.state.compareExchange(
                        expected: state, desired: Self.empty, ordering: .sequentiallyConsistent
                    ).exchanged
                {
                    if let kept = OpaquePointer(bitPattern: state) { release(kept) }
                    break
                }
                sched_yield()
            }
        }
    }
}
