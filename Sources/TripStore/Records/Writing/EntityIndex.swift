import Events
import Foundation
import Platform

/// The numbers that a planner gave to entities: all that it ever read, by hashes of 8 bytes.
///
/// Open addressing with linear probing; nothing is removed. The owner compares the number's entity, to detect two
/// entities with one hash.
struct EntityIndex {
    struct Slot {
        fileprivate var hash: UInt64 = 0
        /// The number plus one; 0 if the slot is empty.
        fileprivate var mark: UInt32 = 0
        /// Whether the planner wrote to the entity.
        var isTouched = false

        var number: Int { Int(mark) - 1 }
    }

    private static let fewest = 1 << 6

    private var slots = [Slot](repeating: Slot(), count: fewest)
    private(set) var count = 0
    private(set) var touchedCount = 0
    // Random, so that ids cannot be chosen to collide.
    private let seed: (UInt64, UInt64)

    init(seed: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))) { self.seed = seed }

    /// The hash of an entity, different in every index.
    func hash(of entity: EntityReference) -> UInt64 {
        let (high, low) = withUnsafeBytes(of: entity.id.uuid) {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        // Folds a product of 128 bits: every bit of both goes into every bit of the result.
        let product = (high ^ seed.0).multipliedFullWidth(by: low ^ seed.1 ^ UInt64(entity.kind.rawValue) << 48)
        return product.high ^ product.low
    }

    private func slotIndex(of hash: UInt64) -> Int {
        var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[index].mark != 0 && slots[index].hash != hash { index = (index + 1) & (slots.count - 1) }
        return index
    }

    /// Prefetches the slot of a hash.
    func prefetch(_ hash: UInt64) {
        let start = (Int(truncatingIfNeeded: hash) & (slots.count - 1)) * MemoryLayout<Slot>.stride
        slots.withUnsafeBytes {
            UnsafeRawBufferPointer(rebasing: $0[start..<start + MemoryLayout<Slot>.size]).prefetch()
        }
    }

    /// The slot of a hash; nil if there is none.
    func slot(of hash: UInt64) -> Slot? {
        let slot = slots[slotIndex(of: hash)]
        return slot.mark == 0 ? nil : slot
    }

    /// Gives a hash a number, up to 2^32 − 2.
    mutating func set(_ hash: UInt64, to number: Int) {
        // At most three quarters are taken.
        if (count + 1) * 4 > slots.count * 3 { grow() }
        let index = slotIndex(of: hash)
        if slots[index].mark == 0 {
            count += 1
            slots[index].hash = hash
        }
        slots[index].mark = UInt32(number + 1)
    }

    /// Marks the entity of that hash, which has a number, as written.
    mutating func touch(_ hash: UInt64) {
        let index = slotIndex(of: hash)
        guard !slots[index].isTouched else { return }
        slots[index].isTouched = true
        touchedCount += 1
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for slot in old where slot.mark != 0 { slots[slotIndex(of: slot.hash)] = slot }
    }
}
