import Events
import Testing

@testable import EventLog

@Suite("The hash of a payload")
struct PayloadHashTests {
    @Test(
        "A leaf's hash is that of its salt and its bytes, however many there are",
        arguments: [0, 1, 47, 959, 960, 961, 1_024, 100_000])
    func leaves(count: Int) {
        let salt = [UInt8](repeating: 9, count: 16)
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let hash = bytes.withUnsafeBytes { bytes in salt.withUnsafeBytes { PayloadHash.leaf(bytes, salt: $0) } }
        #expect(hash == Digest(hashing: [0] + salt + bytes))
    }
}
