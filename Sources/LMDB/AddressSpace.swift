import Foundation
import Platform

/// The addresses that a process may still reserve: few under `ulimit -v`.
enum AddressSpace {
    /// Below this a map is not shrunk: LMDB makes it as large as the file, and it grows.
    private static let leastMap = 1 << 20
    /// A map takes one part in so many of what is left: there are several stores and views in a process, and threads and memory need addresses
    /// as well.
    private static let share = 4

    /// Bytes to reserve for a map: as many as asked for or, where addresses are few, as many as leave most of them free.
    static func mapSize(atMost size: Int, holds: (Int) -> Bool = holds) -> Int {
        var found = size
        while found / 2 >= leastMap, !holdsAll(found, holds) { found /= 2 }
        return found
    }

    /// Whether a map and what it leaves to others are there. More than a number can say is not.
    private static func holdsAll(_ size: Int, _ holds: (Int) -> Bool) -> Bool {
        let (bytes, overflow) = size.multipliedReportingOverflow(by: share)
        return !overflow && holds(bytes)
    }

    /// Whether so many bytes of addresses are left.
    static func holds(_ size: Int) -> Bool {
        guard let reserved = mmap(nil, size, PROT_NONE, System.addressesAlone, -1, 0), reserved != MAP_FAILED else {
            return false
        }
        munmap(reserved, size)
        return true
    }
}
