import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@Suite("Killed writers")
struct CrashTests {
    @Test("Nothing acknowledged is lost by a process that is killed, twenty times over (L1)")
    func killedWriters() async throws {
        let folder = TemporaryFolder()
        var generator = SeededGenerator(seed: 1)
        var acknowledged: Set<Trip.ID> = []
        for round in 0..<20 {
            acknowledged.formUnion(
                try KilledProcess.run([folder.url.path], lines: Int.random(in: 0...150, using: &generator))
                    .compactMap { Trip.ID($0) })
            let store = try await TripStore.test(at: folder.url)
            for trip in acknowledged {
                #expect(try store.trip(trip) != nil, "round \(round)")
                #expect(try store.items(of: trip).count == 1, "round \(round)")
            }
            try await store.expectInvariants()
        }
        #expect(!acknowledged.isEmpty)
    }

    @Test(
        "A flipped byte in the stored log is reported, or changes nothing that counts, and never ends the process",
        arguments: Seeds.some(50))
    func damage(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let folder = TemporaryFolder()
        do {
            let store = try await TripStore.test(at: folder.url)
            var writer = RandomWriter(seed: 7)
            for _ in 0..<20 { try await writer.write(to: store) }
            await store.close()
        }
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(at: folder.url, to: copy.url)
        let file = copy.url.appendingPathComponent("log/data.mdb")
        var bytes = try Data(contentsOf: file)
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
        try bytes.write(to: file)
        do {
            let report = try await TripStore.verify(at: copy.url)
            // Damage in unused pages does no harm; then everything is as before.
            if report.isIntact { #expect(report.commits == (try await TripStore.verify(at: folder.url)).commits) }
        } catch {
            #expect("\(error)".contains(copy.url.path), "the error names the store")
        }
        #expect(try await TripStore.verify(at: folder.url).isIntact)
    }
}
