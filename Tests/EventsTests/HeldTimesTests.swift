import Events
import Testing

@Suite("The times up to which others were held, on the wire")
struct HeldTimesTests {
    @Test("Of more replicas than fit those are named that wrote last, and equal times go by replica")
    func latestOfMany() throws {
        let replicas = try (0..<1_100).map { number in
            try #require(ReplicaID([UInt8](repeating: 0, count: 14) + [UInt8(number >> 8), UInt8(number & 255)]))
        }
        let held = VersionVector(
            Dictionary(
                uniqueKeysWithValues: replicas.enumerated().map { ($1, Timestamp(rawValue: UInt64(1 + $0 / 100))) }))
        let latest = held.latest()
        // The last ten hundreds to write, and the first of the hundred before them.
        #expect(Set(latest.newest.keys) == Set(replicas[0..<24] + replicas[100...]))
        #expect(latest.newest.count == VersionVector.mostTimes)
        #expect(try Payload.reading(Payload(held: latest).encoded()).held == latest)
    }

    @Test("Of the times up to which others were held the first 1,024 count, of one replica the 65 latest")
    func heededTimes() throws {
        let replicas = try (0..<2_200).map { number in
            try #require(ReplicaID([UInt8](repeating: 0, count: 14) + [UInt8(number >> 8), UInt8(number & 255)]))
        }
        let many = try Payload.reading(
            WireWriter.message { writer in
                for replica in replicas { writer.bytes(6, replica.bytes) }
                // For every other replica there is no time.
                writer.bytes(12, (0..<1_100).flatMap { _ in [0, 9].flatMap(time) })
            }
        ).held
        #expect(many == VersionVector(times: (0..<1_024).map { (replicas[2 * $0 + 1], Timestamp(rawValue: 9)) }))

        let one = try Payload.reading(
            WireWriter.message { writer in
                for _ in 0..<67 { writer.bytes(6, replicas[0].bytes) }
                writer.bytes(12, ([3, 67, 1, 5, 2, 4] + Array(6...66)).flatMap(time))
            }
        ).held
        #expect(one.times(of: replicas[0]).map(\.rawValue) == (3...67).reversed())
        #expect(one.times(of: replicas[1]).isEmpty)
    }

    private func time(_ byte: UInt8) -> [UInt8] { [byte] + [UInt8](repeating: 0, count: 7) }

    @Test("Times up to which others were held are eight bytes each, and of as many replicas as are named or fewer")
    func malformedHeld() throws {
        let replica = [UInt8](repeating: 7, count: 16)
        func payload(_ times: [UInt8]) -> [UInt8] {
            WireWriter.message {
                $0.bytes(6, replica)
                $0.bytes(12, times)
            }
        }
        #expect(try Payload.reading(payload([1, 0, 0, 0, 0, 0, 0, 0])).held.newest.values.map(\.rawValue) == [1])
        for count in [1, 7, 9, 15] {
            #expect(throws: WireError.self) { try Payload.reading(payload([UInt8](repeating: 1, count: count))) }
        }
        // A repeated replica names another branch.
        let time = Timestamp(rawValue: 0x0101_0101_0101_0101)
        let name = try #require(ReplicaID(replica))
        let forked = VersionVector(times: [(name, time), (name, Timestamp(rawValue: 9)), (name, time)])
        #expect(forked.times.map(\.newest) == [time, Timestamp(rawValue: 9)])
        #expect(try Payload.reading(Payload(held: forked).encoded()).held == forked)
        #expect(forked.latest(1).times.map(\.newest) == [time])
        // Times without a replica say nothing.
        #expect(try Payload.reading(payload([UInt8](repeating: 1, count: 24))).held.newest.count == 1)
    }
}
