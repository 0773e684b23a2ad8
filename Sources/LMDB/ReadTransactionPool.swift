import Foundation
import Synchronization

/// Places for readers, each with a reset transaction that the last one there left for the next.
///
/// A thread begins its search at a place of its own, so that threads that read at the same time do not wait for each
/// other's cache lines.
///
/// `@unchecked Sendable`: the memory is allocated and freed here, and holds atomics alone.
final class ReadTransactionPool: @unchecked Sendable {
    /// Each kept transaction holds a reader slot, so their number is bounded.
    private static let count = 16
    /// A line of the processor's cache, or two that are fetched together.
    private static let line = 128

    // What `state` says; anything else is the address of the transaction that is kept there.
    private static let empty: UInt = 0
    private static let taken: UInt = 1

    private struct Place: ~Copyable {
        let state = Atomic<UInt>(ReadTransactionPool.empty)
        /// Short looks at the map that are going on.
        let looks = Atomic<Int>(0)
    }

    private let memory: UnsafeMutableRawPointer

    init() {
        memory = .allocate(byteCount: Self.count * Self.line, alignment: Self.line)
        for index in 0..<Self.count {
            (memory + index * Self.line).bindMemory(to: Place.self, capacity: 1).initialize(to: Place())
        }
    }

    deinit {
        for index in 0..<Self.count { place(index).deinitialize(count: 1) }
        memory.deallocate()
    }

    private func place(_ index: Int) -> UnsafeMutablePointer<Place> {
        (memory + index * Self.line).assumingMemoryBound(to: Place.self)
    }

    /// Where the calling thread begins to search.
    private var own: Int {
        #if canImport(Darwin)
            let thread = UInt(bitPattern: pthread_self())
        #else
            let thread = UInt(pthread_self())
        #endif
        // Fibonacci hashing: what threads' addresses differ in lies anywhere.
        return Int(truncatingIfNeeded: (UInt64(thread) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }

    /// Takes a place that is free, with the transaction kept there; nil if there is none.
    func take() -> (place: Int, kept: OpaquePointer?)? {
        let own = own
        for step in 0..<Self.count {
            let index = (own + step) % Self.count
            let state = place(index).pointee.state.load(ordering: .relaxed)
            guard state != Self.taken else { continue }
            let (isMine, _) = place(index).pointee.state.compareExchange(
                expected: state, desired: Self.taken, ordering: .sequentiallyConsistent)
            if isMine { return (index, OpaquePointer(bitPattern: state)) }
        }
        return nil
    }

    /// Leaves a place, with a reset transaction for the next who comes there.
    func leave(_ index: Int, keeping transaction: OpaquePointer?) {
        place(index).pointee.state.store(UInt(bitPattern: transaction), ordering: .sequentiallyConsistent)
    }

    var areTaken: Bool {
        (0..<Self.count).contains { place($0).pointee.state.load(ordering: .sequentiallyConsistent) == Self.taken }
    }

    /// Counts a look in; answers where.
    func beginLook() -> Int {
        let index = own
        place(index).pointee.looks.add(1, ordering: .sequentiallyConsistent)
        return index
    }

    func endLook(_ index: Int) { place(index).pointee.looks.subtract(1, ordering: .sequentiallyConsistent) }

    var areLookedFrom: Bool {
        (0..<Self.count).contains { place($0).pointee.looks.load(ordering: .sequentiallyConsistent) > 0 }
    }

    /// Hands out every kept transaction and leaves the places empty.
    func drain(_ release: (OpaquePointer) -> Void) {
        for index in 0..<Self.count {
            let state = place(index).pointee.state.exchange(Self.empty, ordering: .sequentiallyConsistent)
            if state != Self.taken, let kept = OpaquePointer(bitPattern: state) { release(kept) }
        }
    }
}
