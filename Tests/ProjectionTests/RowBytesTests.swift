import EventLog
import Events
import Foundation
import TestSupport
import Testing

@testable import ProjectionEngine

@Suite("Bytes of rows")
struct RowBytesTests {
    private func contents(_ bytes: borrowing RowBytes) -> [UInt8] { bytes.withBytes { Array($0) } }

    @Test("What is appended follows what was there, whatever it is", arguments: Seeds.some(10))
    func appending(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = RowBytes()
        var expected: [UInt8] = []
        for _ in 0..<2_000 {
            let number = generator.next()
            switch number % 11 {
            case 0:
                bytes.append(UInt8(truncatingIfNeeded: number))
                expected.append(UInt8(truncatingIfNeeded: number))
            case 1:
                bytes.append(UInt16(truncatingIfNeeded: number))
                withUnsafeBytes(of: UInt16(truncatingIfNeeded: number).bigEndian) { expected += $0 }
            case 2:
                bytes.append(number)
                withUnsafeBytes(of: number.bigEndian) { expected += $0 }
            case 3:
                bytes.append(Int128(number) - 5)
                withUnsafeBytes(of: (Int128(number) - 5).bigEndian) { expected += $0 }
            case 4:
                let entity = EntityReference(kind: EntityKind(rawValue: UInt16(truncatingIfNeeded: number)), id: UUID())
                bytes.append(entity)
                expected += entity.bytes
            case 5:
                let stamp = Stamp(
                    timestamp: Timestamp(rawValue: number), replica: ReplicaID(publicKey: [UInt8(number & 7)]),
                    hash: Digest(words: (~number, number, 1, 2)))
                bytes.append(stamp)
                expected += stamp.bytes
            case 6:
                let text = String(repeating: "é", count: Int(number >> 8 & 63))
                bytes.append(contentsOf: text.utf8.prefix(40))
                expected += text.utf8.prefix(40)
            case 7:
                let more = generator.bytes(upTo: 300)
                more.withUnsafeBytes { bytes.append(contentsOf: $0) }
                expected += more
            case 8:
                let more = generator.bytes(upTo: 20)
                // Bytes without memory of their own.
                bytes.append(contentsOf: more.lazy.map { $0 ^ 1 })
                expected += more.map { $0 ^ 1 }
            case 9:
                bytes.append(upTo: 50) { room in
                    room.copyBytes(from: [1, 2, 3])
                    return 3
                }
                expected += [1, 2, 3]
            default:
                guard !expected.isEmpty else { continue }
                bytes.set(7, at: expected.count - 1)
                expected[expected.count - 1] = 7
                bytes.removeLast(to: expected.count - expected.count / 50)
                expected.removeLast(expected.count / 50)
            }
        }
        #expect(contents(bytes) == expected)
    }

    @Test("A copy of what a sink keeps is its own: neither sees what is written to the other")
    func copies() {
        var first = RowStorage()
        #expect(contents(first) == [])
        append([1, 2, 3], to: &first)
        var second = first
        append([4], to: &second)
        append([5], to: &first)
        let third = second
        second.removeAll()
        append([8], to: &second)
        var fourth = third
        fourth.removeLast(to: 2)
        append([9], to: &fourth)
        #expect(contents(first) == [1, 2, 3, 5])
        #expect(contents(second) == [8])
        #expect(contents(third) == [1, 2, 3, 4])
        #expect(contents(fourth) == [1, 2, 9])
    }

    private func contents(_ storage: RowStorage) -> [UInt8] { storage.withBytes { Array($0) } }

    private func append(_ more: [UInt8], to storage: inout RowStorage) {
        var bytes = storage.take()
        bytes.append(contentsOf: more)
        storage.keep(bytes)
    }
}
