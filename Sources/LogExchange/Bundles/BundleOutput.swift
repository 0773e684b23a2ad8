import EventLog
import Events
import Platform

/// How a bundle's records are packed.
struct BundlePacking: Sendable {
    let algorithm: Compression
    let libraries: CompressionLibraries

    /// As many bytes of records are packed as one, and at most one record more.
    static let blockBytes = 1 << 20

    /// The best of the system if no algorithm is named. Throws `ExchangeError.unavailableCompression`.
    init(_ algorithm: Compression?, _ libraries: CompressionLibraries = .system) throws(ExchangeError) {
        if let algorithm, !libraries.available.contains(algorithm) {
            throw ExchangeError.unavailable(algorithm.rawValue, libraries)
        }
        self.algorithm = algorithm ?? libraries.available.first ?? .none
        self.libraries = libraries
    }
}

/// Writes a bundle's bytes to a file or a stream.
///
/// `@unchecked Sendable`: it is used on one worker thread, one call at a time.
final class BundleOutput: @unchecked Sendable {
    enum Target {
        case file(OutputFile)
        case stream(@Sendable ([UInt8]) throws -> Void)
    }

    private let target: Target
    private let packing: BundlePacking
    private var digest = DigestBuilder()
    /// Records that are packed as one when they are enough.
    private var block: [UInt8] = []
    private(set) var size = 0
    private(set) var unpackedSize = 0
    private(set) var compressions: Set<Compression> = []

    init(_ target: Target, _ packing: BundlePacking) throws {
        self.target = target
        self.packing = packing
        do { try write(BundleRecord.magic) } catch {
            discard()
            throw error
        }
    }

    func add(_ record: BundleRecord) throws {
        let bytes = record.encoded()
        switch record {
        case .segment:
            block += UInt32(bytes.count).bigEndianBytes
            block += bytes
            if packing.algorithm == .none || block.count >= BundlePacking.blockBytes { try writeBlock() }
        case .header, .end, .packed, .content, .part:
            try writeBlock()
            try write(UInt32(bytes.count).bigEndianBytes)
            try write(bytes)
        }
    }

    /// Writes the end record and the checksum, and moves a file to its destination; returns itself for its sizes.
    func finish(with record: BundleRecord) throws -> BundleOutput {
        try add(record)
        try write(digest.finish().bytes)
        if case .file(let file) = target {
            do { try file.finish() } catch { throw ExchangeError(error) }
        }
        return self
    }

    func discard() { if case .file(let file) = target { file.discard() } }

    /// As one packed record if that is shorter, otherwise as the records are.
    private func writeBlock() throws {
        defer { block.removeAll(keepingCapacity: true) }
        guard let packed = PackedMessage.packed(block, with: packing.algorithm, packing.libraries) else {
            return try write(block)
        }
        let record = BundleRecord.packed(packed).encoded()
        guard 4 + record.count < block.count, record.count <= BundleRecord.largestRecord else {
            return try write(block)
        }
        compressions.insert(packing.algorithm)
        unpackedSize += block.count - 4 - record.count
        try write(UInt32(record.count).bigEndianBytes)
        try write(record)
    }

    private func write(_ bytes: [UInt8]) throws {
        digest.add(bytes)
        switch target {
        case .file(let file): do { try file.write(bytes) } catch { throw ExchangeError(error) }
        case .stream(let stream): try stream(bytes)
        }
        size += bytes.count
        unpackedSize += bytes.count
    }
}

extension ExchangeError {
    /// In its words: it is not named as the cause, which the description would repeat.
    init(_ error: OutputError) {
        self.init(error.code == .occupied ? .fileExists : .unusableFile, error.description)
    }
}
