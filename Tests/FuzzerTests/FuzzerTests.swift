import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore
import TripStoreCommands
import Trips

/// Runs for a moment what `Tools/fuzz` runs for minutes with libFuzzer, so that the fuzzers stay in step with their
/// decoders. A finding ends the test run with its message.
@Suite("The fuzzers")
struct FuzzerTests {
    @Test("Each decoder returns or refuses its seeds, and random mutations of them")
    func mutatedSeeds() async throws {
        let folder = TemporaryFolder()
        try await Self.writeSeeds(in: folder)
        for kind in Fuzzers.all {
            try Self.feed(kind, Self.seeds(of: kind, in: folder), folder.path("scratch \(kind.name)"))
        }
    }

    private static func feed(_ kind: any Fuzzer.Type, _ seeds: [[UInt8]], _ scratch: String) throws {
        #expect(!seeds.isEmpty, "\(kind.name)")
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        let fuzzer = try kind.init(in: scratch)
        var generator = SeededGenerator(seed: 18)
        // Those that use a file for each input take some milliseconds.
        for seed in seeds.shuffled(using: &generator).prefix(Extent.of(40)) {
            for round in 0..<8 {
                let input = round == 0 ? seed : Self.mutated(seed, &generator)
                // A decoder may throw.
                input.withUnsafeBytes { bytes in try? fuzzer.feed(bytes) }
            }
        }
    }

    @Test("There is one for each decoder, and each has a name of its own")
    func names() {
        #expect(Set(Fuzzers.all.map { $0.name }).count == Fuzzers.all.count && Fuzzers.all.count == 10)
    }

    private static func writeSeeds(in folder: TemporaryFolder) async throws {
        let bundles = Compression.allCases.map { ($0, folder.path("\($0.rawValue).bundle")) }
        let store = try await TripStore.test(at: folder.url.appendingPathComponent("store"))
        let trip = Trip(name: "Rome", notes: "Take the train")
        try await store.create(trip)
        try await store.create(Activity(name: "Forum", in: trip.id))
        try await store.delete(trip.id)
        for (compression, path) in bundles where Compression.available.contains(compression) {
            _ = try await store.write(bundle: URL(fileURLWithPath: path), compression: compression)
        }
        let dump = folder.path("log.jsonl")
        try await DumpFile.write(store, to: URL(fileURLWithPath: dump))
        try await store.expectInvariants()
        await store.close()
        let samples = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Tools/samples").standardized.path
        let export = "\(samples)/flights-day-planned.json"
        let calendars = ["tripit", "airline", "hotel"].map { "\(samples)/calendars/\($0)-style.ics" }
        let written = bundles.map(\.1).filter { FileManager.default.fileExists(atPath: $0) }
        try SeedWriter(
            [folder.path("seeds"), "--bundle"] + written + ["--export", export, "--dump", dump, "--calendar"]
                + calendars
                + ["--table", "\(samples)/tables/bookings.csv"]
        ).write()
    }

    private static func seeds(of kind: any Fuzzer.Type, in folder: TemporaryFolder) throws -> [[UInt8]] {
        let corpus = folder.path("seeds/\(kind.name)")
        return try FileManager.default.contentsOfDirectory(atPath: corpus).sorted().map { name in
            try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(corpus)/\(name)")))
        }
    }

    /// A few bytes changed, removed, inserted or repeated.
    private static func mutated(_ seed: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var input = seed
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !input.isEmpty {
            let place = Int.random(in: 0..<input.count, using: &generator)
            let end = min(place + Int.random(in: 1...16, using: &generator), input.count)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: input[place] = .random(in: 0...255, using: &generator)
            case 1: input.removeSubrange(place..<end)
            case 2: input.insert(.random(in: 0...255, using: &generator), at: place)
            default: input.insert(contentsOf: input[place..<end], at: end)
            }
        }
        return input
    }
}
