import Events
import Platform
import TestSupport
import Testing

@testable import LogExchange

@Suite("Bytes that are packed for a hop")
struct CompressionTests {
    static let packing = Compression.available.filter { $0 != .none }

    /// Bytes that shrink: words that come back.
    private static func words(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        let words = (0..<20).map { _ in random.bytes(upTo: 24) + [7] }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += words[Int.random(in: 0..<20, using: &random)] }
        return Array(bytes.prefix(count))
    }

    private static func noise(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
    }

    private static func message(_ method: UInt64, _ size: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        var writer = WireWriter()
        writer.varint(1, method)
        writer.varint(2, size)
        writer.bytes(3, bytes)
        return writer.finish()
    }

    @Test("They come out as they went in, and took less", arguments: Compression.available, Seeds.some(20))
    func roundTrip(algorithm: Compression, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: PackedMessage.smallest..<200_000, using: &random)
        let bytes = Self.words(count, &random)
        let packed = PackedMessage.pack(bytes, with: algorithm)
        #expect(algorithm == .none || packed.count < count * 9 / 10)
        #expect(try PackedMessage.unpack(packed, atMost: count) == bytes)
        let error = #expect(throws: ExchangeError.self) { try PackedMessage.unpack(packed, atMost: count - 1) }
        #expect(error?.code == .malformed && error?.message.contains("\(count - 1) are the most") == true)
    }

    @Test("What is little, or would not shrink, is left as it is", arguments: Compression.available)
    func leftAlone(algorithm: Compression) throws {
        var random = SeededGenerator(seed: 3)
        for bytes in [[], [1], Self.words(PackedMessage.smallest - 1, &random), Self.noise(5000, &random)] {
            let packed = PackedMessage.pack(bytes, with: algorithm)
            #expect(try packed.withUnsafeBytes { try PackedMessage($0) }.algorithm == Compression.none)
            #expect(packed.count <= bytes.count + 4)
            #expect(try PackedMessage.unpack(packed, atMost: bytes.count) == bytes)
        }
    }

    @Test("A bomb is refused: claims beyond the bound, and more bytes than it claims", arguments: packing)
    func bombs(algorithm: Compression) throws {
        let zeros = [UInt8](repeating: 0, count: 8 << 20)
        let packed = try #require(CompressionLibraries.system.pack(zeros, with: algorithm))
        #expect(packed.count < 8 << 10)
        // What it truly is, is too much for so few bytes; a writer leaves such bytes as they are.
        #expect(PackedMessage.pack(zeros, with: algorithm).count > zeros.count)
        for (claimed, limit) in [(8 << 20, 1 << 30), (packed.count * 1024, 1 << 30), (1, 1 << 30), (.max, 1 << 20)] {
            let error = #expect(throws: ExchangeError.self) {
                try PackedMessage.unpack(
                    Self.message(algorithm.number, UInt64(claimed), packed), atMost: limit)
            }
            #expect(error?.code == .malformed, "\(claimed) of \(limit)")
        }
        let most = Self.message(algorithm.number, .max, packed)
        #expect(throws: ExchangeError.self) { try PackedMessage.unpack(most, atMost: .max - 1) }
    }

    @Test(
        "Fewer bytes than claimed, none, more after them, and two packed parts in one are refused", arguments: packing)
    func otherSizes(algorithm: Compression) throws {
        var random = SeededGenerator(seed: 9)
        let bytes = Self.words(4000, &random)
        let packed = try #require(CompressionLibraries.system.pack(bytes, with: algorithm))
        let claims: [(Int, [UInt8])] = [
            (4001, packed), (3999, packed), (0, packed), (0, []), (4000, packed + [0]), (4000, packed.dropLast()),
            (8000, packed + packed), (4000, []),
        ]
        for (size, contents) in claims {
            let error = #expect(throws: ExchangeError.self) {
                try PackedMessage.unpack(Self.message(algorithm.number, UInt64(size), contents), atMost: 10_000)
            }
            #expect(error?.code == .malformed, "\(size) of \(contents.count)")
        }
    }

    @Test("What is nearly a packed message is read, or refused by a typed error", arguments: Seeds.some(200))
    func damaged(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let algorithm = Compression.available[Int(seed) % Compression.available.count]
        let packed = PackedMessage.pack(Self.words(3000, &random), with: algorithm)
        do { #expect(try PackedMessage.unpack(random.damaged(packed), atMost: 5000).count <= 5000) } catch {
            #expect([.malformed, .unavailableCompression].contains(error.code), "\(error)")
        }
    }

    @Test("A method that is not known here is refused by name, with those that are")
    func unknownMethod() throws {
        let error = #expect(throws: ExchangeError.self) {
            try PackedMessage.unpack(Self.message(3, 10, [1, 2, 3]), atMost: 100)
        }
        #expect(error?.code == .unavailableCompression)
        #expect(error?.message.contains("method 3") == true && error?.message.contains("none") == true)
    }

    @Test("The best is chosen of those that both have; none is always among them")
    func choice() {
        let here = Compression.available
        #expect(here.last == Compression.none && Set(here).count == here.count)
        #expect(Compression.best(knownTo: Compression.allCases) == here.first)
        #expect(Compression.best(knownTo: []) == .none)
        #expect(Compression.best(knownTo: [.none]) == .none)
        for algorithm in Compression.allCases { #expect(Compression(number: algorithm.number) == algorithm) }
        #expect(Compression(number: 3) == nil)
    }

    @Test("Without the libraries nothing is packed, and what is packed is refused by name", arguments: packing)
    func missingLibraries(algorithm: Compression) throws {
        let nothing = CompressionLibraries(zlib: ["/no/such/libz.so.1"], zstd: [])
        #expect(nothing.available == [.none])
        var random = SeededGenerator(seed: 5)
        let bytes = Self.words(2000, &random)
        let plain = PackedMessage.pack(bytes, with: algorithm, nothing)
        #expect(plain.count > bytes.count)
        #expect(try PackedMessage.unpack(plain, atMost: 2000, nothing) == bytes)
        let packed = PackedMessage.pack(bytes, with: algorithm)
        let error = #expect(throws: ExchangeError.self) { try PackedMessage.unpack(packed, atMost: 2000, nothing) }
        #expect(error?.code == .unavailableCompression)
        #expect(error?.message.contains(algorithm.rawValue) == true)
    }

    @Test("With only zlib's library there is zlib")
    func onlyZlib() {
        let some = CompressionLibraries(zlib: System.zlib, zstd: ["/no/such/libzstd.so.1"])
        #expect(some.available == [.zlib, .none])
        // A library that is another one lacks the functions.
        let wrong = CompressionLibraries(
            zlib: System.zstd, zstd: System.zlib)
        #expect(wrong.available == [.none])
    }
}
