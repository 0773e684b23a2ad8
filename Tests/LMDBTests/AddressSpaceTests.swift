import LMDBSupport
import Testing

@testable import LMDB

@Suite("Addresses for a map")
struct AddressSpaceTests {
    private static let gibibyte = 1 << 30
    private static let mebibyte = 1 << 20

    @Test(
        "A map is as large as asked for, and where addresses are few it leaves three quarters of them to others",
        arguments: [
            (1024 * gibibyte, 64 * gibibyte, 64 * gibibyte), (128 * gibibyte, 64 * gibibyte, 32 * gibibyte),
            (64 * gibibyte, 64 * gibibyte, 16 * gibibyte), (gibibyte, 64 * gibibyte, 256 * mebibyte),
            (0, 64 * gibibyte, mebibyte), (gibibyte, 65_536, 65_536), (0, 65_536, 65_536),
            (1 << 40, .max, Int.max >> 25), (.max, 1 << 61, 1 << 60),
        ] as [(Int, Int, Int)])
    func sizes(left: Int, asked: Int, expected: Int) {
        #expect(AddressSpace.mapSize(atMost: asked) { $0 <= left } == expected)
    }

    @Test("What the process can reserve is found out by reserving it, and is free afterwards")
    func reserved() {
        for _ in 0..<3 { #expect(AddressSpace.holds(1 << 30)) }
        #expect(!AddressSpace.holds(1 << 62))
    }
}
