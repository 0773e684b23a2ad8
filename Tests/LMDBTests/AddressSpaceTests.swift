import LMDBSupport
import Testing

@testable import LMDB

@Suite("Addresses for a map")
struct AddressSpaceTests {
    @Test(
        "A map is as large as asked for, and where addresses are few it leaves three quarters of them to others",
        arguments: [
            (1 << 40, 64 << 30, 64 << 30), (128 << 30, 64 << 30, 32 << 30), (64 << 30, 64 << 30, 16 << 30),
            (1 << 30, 64 << 30, 256 << 20), (0, 64 << 30, 1 << 20), (1 << 30, 128 << 10, 128 << 10),
            (0, 64 << 10, 64 << 10),
        ])
    func sizes(left: Int, asked: Int, expected: Int) {
        #expect(AddressSpace.mapSize(atMost: asked) { $0 <= left } == expected)
    }

    @Test("What the process can reserve is found out by reserving it, and is free afterwards")
    func reserved() {
        for _ in 0..<3 { #expect(AddressSpace.holds(1 << 30)) }
        #expect(!AddressSpace.holds(1 << 62))
    }
}
