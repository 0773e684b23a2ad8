import EventLog
import Events
import Testing

@testable import LogExchange

@Suite("The times of writes that are written anew")
struct DumpTimesTests {
    private static let ceiling = Timestamp(milliseconds: 1000)

    private func name(_ ticks: UInt64, _ replica: UInt8) throws -> Seen {
        Seen(
            timestamp: Timestamp(rawValue: ticks),
            replica: try #require(ReplicaID(String(repeating: "0\(replica)", count: 16))))
    }

    private func writes(_ names: [(UInt64, UInt8, hash: UInt64)]) throws -> [DumpTimes.Writes] {
        try names.map { DumpTimes.Writes(name: try name($0.0, $0.1), hash: $0.hash) }.sorted()
    }

    @Test("Times of different replicas that are equal become distinct in the order of the merge, and all others stay")
    func distinct() throws {
        let times = DumpTimes(try writes([(10, 2, 5), (10, 1, 9), (11, 1, 3), (40, 1, 4)]), before: Self.ceiling)
        let found = try [(10, 1), (10, 2), (11, 1), (40, 1), (99, 7)].map {
            times.time(of: try name($0.0, $0.1))?.rawValue
        }
        #expect(found == [10, 11, 12, 40, 99])
    }

    @Test("An original time and a commit of its replica at that time are one write's, and two commits are ambiguous")
    func names() throws {
        let times = DumpTimes(
            try writes([(10, 1, 0), (10, 1, 8), (20, 1, 3), (20, 1, 4), (21, 2, 1)]), before: Self.ceiling)
        #expect(times.time(of: try name(10, 1))?.rawValue == 10)
        #expect(times.time(of: try name(20, 1)) == nil)
        #expect(times.time(of: try name(21, 2))?.rawValue == 22)
    }

    @Test("Times that are not before the ceiling are moved below it, in their order")
    func ceiling() throws {
        let (ahead, end) = (Self.ceiling.rawValue + 7, Self.ceiling.rawValue)
        let times = DumpTimes(
            try writes([(5, 1, 1), (end - 1, 2, 4), (end, 1, 2), (ahead, 1, 3)]), before: Self.ceiling)
        let found = try [(5, 1), (end - 1, 2), (end, 1), (ahead, 1)].map {
            times.time(of: try name($0.0, $0.1))?.rawValue
        }
        #expect(found == [5, end - 3, end - 2, end - 1])
    }
}
