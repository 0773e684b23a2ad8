import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore
import TripStoreTestSupport

/// What compression is worth. `TRIPSTORE_SMALL_EDITS=100000` measures it on so many edits, as the documentation does.
@Suite("The size of bundles")
struct BundleSizeTests {
    private static let editsPerCommit = 5

    private static var edits: Int {
        ProcessInfo.processInfo.environment["TRIPSTORE_SMALL_EDITS"].flatMap(Int.init) ?? 5000
    }

    /// The most bytes of a packed bundle for each edit.
    private static func bound(_ algorithm: Compression) -> Double {
        switch algorithm {
        case .none: 100
        case .zlib: 28
        case .zstd: 21
        }
    }

    @Test("Small edits, five to a commit, are a quarter when packed", .timeLimit(.minutes(10)))
    func smallEdits() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(seed: 4)
        let store = try await TripStore.test(clock: clock, at: folder.url.appendingPathComponent("store"))
        var random = SeededGenerator(seed: 11)
        let trips = (0..<200).map { Trip(name: "Trip \($0)", notes: "") }
        try await store.create(trips)
        for number in 0..<Self.edits / Self.editsPerCommit {
            clock.now += Int64.random(in: 10...3000, using: &random)
            let chosen = trips.shuffled(using: &random).prefix(Self.editsPerCommit)
            try await store.append(chosen.map { TripEvent(.edited, $0.id, [.set(\.notes, "Number \(number)")]) })
        }
        for algorithm in Compression.available {
            let file = folder.url.appendingPathComponent("\(algorithm.rawValue).bundle")
            let written = ContinuousClock().now
            let summary = try await store.write(bundle: file, compression: algorithm)
            let read = ContinuousClock().now
            #expect(try await TripStore.summary(ofBundle: file) == summary)
            let bytes = Double(summary.fileSize) / Double(Self.edits)
            #expect(bytes < Self.bound(algorithm), "\(algorithm)")
            print(
                "\(Self.edits) small edits, \(algorithm): \(summary.fileSize) bytes, written in \(read - written), read in "
                    + "\(ContinuousClock().now - read)")
        }
        try await store.expectInvariants()
    }
}
