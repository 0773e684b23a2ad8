import Foundation
import StoreSupport
import Synchronization
import Testing

@testable import LogExchange

@Suite("The folder of what has not arrived whole")
struct PartFolderTests {
    private let place = TemporaryFolder()

    private func folder(_ bounds: PartFolder.Bounds, now: Int64 = 0) -> PartFolder {
        PartFolder(place.path("arriving"), bounds: bounds, now: { now })
    }

    private func keep(_ name: String, of owner: String, _ size: Int, at now: Int64, _ bounds: PartFolder.Bounds) -> Bool
    {
        folder(bounds, now: now).keep(
            [UInt8](repeating: 1, count: size), in: PartFolder.File(owner: owner, name: name), at: 0)
    }

    private func names(_ bounds: PartFolder.Bounds, now: Int64 = 0) -> Set<String> {
        Set(folder(bounds, now: now).entries().map(\.file.name))
    }

    @Test("The oldest files of a peer go when it has too much, and then those of the peer with the most")
    func bounds() {
        let bounds = PartFolder.Bounds(ofPeer: 60_000, all: 100_000)
        #expect(keep("a", of: "one", 20_000, at: 1_000, bounds))
        #expect(keep("b", of: "one", 20_000, at: 2_000, bounds))
        #expect(keep("c", of: "one", 20_000, at: 3_000, bounds))
        #expect(names(bounds) == ["b", "c"])
        #expect(keep("d", of: "two", 20_000, at: 4_000, bounds))
        #expect(keep("e", of: "three", 20_000, at: 5_000, bounds))
        #expect(names(bounds) == ["b", "c", "d", "e"])
        #expect(keep("f", of: "three", 4_000, at: 6_000, bounds))
        #expect(names(bounds) == ["c", "d", "e", "f"])
        #expect(!keep("g", of: "two", 70_000, at: 7_000, bounds))
        #expect(!names(bounds).contains("g"))
    }

    @Test("A file that grows beyond what its peer may have is dropped")
    func growing() {
        let folder = folder(PartFolder.Bounds(ofPeer: 30_000, all: 100_000))
        let file = PartFolder.File(owner: "one", name: "a")
        #expect(folder.keep([UInt8](repeating: 1, count: 20_000), in: file, at: 0))
        #expect(!folder.keep([UInt8](repeating: 1, count: 20_000), in: file, at: 20_000))
        #expect(folder.entries().isEmpty)
        // What was dropped does not come back by its end.
        #expect(!folder.keep([1], in: file, at: 40_000))
        #expect(folder.entries().isEmpty)
    }

    @Test("A peer has so many files at most, and the oldest of them go")
    func files() {
        let bounds = PartFolder.Bounds(files: 2)
        #expect(keep("other", of: "two", 10, at: 1_000, bounds))
        for (time, name) in ["a", "b", "c"].enumerated() {
            #expect(keep(name, of: "one", 10, at: Int64(time + 2) * 1_000, bounds))
        }
        #expect(names(bounds) == ["other", "b", "c"])
    }

    @Test("The room of files that were replaced or removed is free at once")
    func replaced() {
        let folder = folder(PartFolder.Bounds(ofPeer: 60_000, files: 2))
        let (one, other) = (PartFolder.File(owner: "one", name: "a"), PartFolder.File(owner: "one", name: "b"))
        let bytes = [UInt8](repeating: 1, count: 20_000)
        for file in [one, one, other, other] { #expect(folder.keep(bytes, in: file, at: 0)) }
        #expect(Set(folder.entries().map(\.file)) == [one, other])
        folder.remove(other)
        #expect(folder.keep(bytes, in: one, at: 20_000) && folder.size(one) == 40_000)
        #expect(folder.entries().map(\.file) == [one])
    }

    @Test("Nothing is kept where the medium has not more free bytes than are to be left")
    func leastFree() {
        let bounds = PartFolder.Bounds(leastFree: .max)
        #expect(!keep("a", of: "one", 10, at: 1_000, bounds))
        #expect(names(bounds).isEmpty)
    }

    @Test("Files go a week after they grew last, and those of a clock that was far ahead too")
    func lifetime() {
        let (bounds, day) = (PartFolder.Bounds(), Int64(86_400_000))
        #expect(keep("old", of: "one", 10, at: day, bounds))
        #expect(keep("new", of: "one", 10, at: 3 * day, bounds))
        #expect(names(bounds, now: 8 * day - 1_000) == ["old", "new"])
        #expect(names(bounds, now: 9 * day) == ["new"])
        #expect(keep("ahead", of: "two", 10, at: 100 * day, bounds))
        #expect(names(bounds, now: 9 * day).isEmpty)
    }
}
