import Events

/// Bytes as they are packed for one hop: the message `Packed`, which names the algorithm and the size.
///
/// No hash or signature covers it: each hop may choose another algorithm.
public struct PackedMessage: Sendable {
    /// Fewer bytes are left as they are: what packing saves of a single commit is not worth its time.
    static let smallest = 512
    /// What one packed byte may become at most. More is for bombs: commits, with their hashes and salts, shrink to a tenth. So a
    /// reader needs memory for what it received, whatever size the file claims.
    static let mostBytesPerPacked = 1024

    /// The message for some bytes. They are left as they are if they are few, would not shrink, or this system lacks the
    /// library.
    public static func pack(_ bytes: [UInt8], with algorithm: Compression) -> [UInt8] {
        pack(bytes, with: algorithm, CompressionLibraries.system)
    }

    static func pack(_ bytes: [UInt8], with algorithm: Compression, _ libraries: CompressionLibraries) -> [UInt8] {
        packed(bytes, with: algorithm, libraries) ?? encoded(bytes, of: bytes.count, by: .none)
    }

    /// Nil if they are to be left as they are.
    static func packed(_ bytes: [UInt8], with algorithm: Compression, _ libraries: CompressionLibraries) -> [UInt8]? {
        guard bytes.count >= smallest, let packed = libraries.pack(bytes, with: algorithm),
            bytes.count / packed.count < mostBytesPerPacked
        else { return nil }
        return encoded(packed, of: bytes.count, by: algorithm)
    }

    /// The message with bytes that are packed already; `size` is their number unpacked.
    static func encoded(_ packed: [UInt8], of size: Int, by algorithm: Compression) -> [UInt8] {
        var writer = WireWriter(reservingCapacity: packed.count + 32)
        if algorithm != .none {
            writer.varint(1, algorithm.number)
            writer.varint(2, UInt64(size))
        }
        writer.bytes(3, packed)
        return writer.finish()
    }

    /// The bytes in a message. Bounded before anything is unpacked: a message that names more bytes than `limit`, or yields
    /// others than it names, is refused, and no more than `limit` are ever allocated for it.
    ///
    /// Throws `ExchangeError`: `.malformed`, `.unavailableCompression` (an algorithm that this system lacks).
    public static func unpack(_ message: [UInt8], atMost limit: Int) throws(ExchangeError) -> [UInt8] {
        try unpack(message, atMost: limit, .system)
    }

    static func unpack(
        _ message: [UInt8], atMost limit: Int, _ libraries: CompressionLibraries
    ) throws(ExchangeError) -> [UInt8] {
        let result: Result<[UInt8], ExchangeError> = message.withUnsafeBytes { bytes in
            do { return .success(try PackedMessage(bytes).unpacked(bytes, atMost: limit, libraries)) } catch {
                if let error = error as? ExchangeError { return .failure(error) }
                return .failure(
                    ExchangeError(.malformed, "A packed message of the other cannot be read: \(error).", cause: error))
            }
        }
        return try result.get()
    }

    // MARK: Reading

    let method: UInt64
    /// The number of bytes unpacked, as the message claims.
    let size: UInt64
    /// The range of the packed bytes in the message.
    private let range: Range<Int>

    /// The algorithm; nil if it is unknown here.
    var algorithm: Compression? { Compression(number: method) }

    init(_ message: UnsafeRawBufferPointer) throws(WireError) {
        var (method, size, range): (UInt64, UInt64, Range<Int>) = (0, 0, 0..<0)
        var reader = WireReader(message)
        while let field = try reader.next() {
            switch field.number {
            case 1: method = try reader.varint(field)
            case 2: size = try reader.varint(field)
            case 3: range = try reader.bytes(field).range(in: message)
            default: try reader.skip(field)
            }
        }
        self.method = method
        self.size = method == 0 ? UInt64(range.count) : size
        self.range = range
    }

    /// The bytes of the message that was read. Throws `WireError`, or `ExchangeError.unavailableCompression`.
    func unpacked(
        _ message: UnsafeRawBufferPointer, atMost limit: Int, _ libraries: CompressionLibraries
    ) throws -> [UInt8] {
        guard size <= UInt64(limit) else {
            throw WireError("it claims \(size) bytes unpacked, and \(limit) are the most")
        }
        let packed = message.part(range)
        if method == 0 { return [UInt8](packed) }
        guard size <= UInt64(packed.count * Self.mostBytesPerPacked) else {
            throw WireError(
                "it claims \(size) bytes in \(packed.count), and \(Self.mostBytesPerPacked) times as many are the most")
        }
        guard let algorithm, libraries.available.contains(algorithm) else {
            throw ExchangeError.unavailable(algorithm?.rawValue ?? "method \(method)", libraries)
        }
        guard size > 0, let bytes = libraries.unpack(packed, with: algorithm, size: Int(size)) else {
            throw WireError("its \(packed.count) bytes are not \(size) bytes packed with \(algorithm.rawValue)")
        }
        return bytes
    }
}

extension ExchangeError {
    static func unavailable(_ algorithm: String, _ libraries: CompressionLibraries) -> ExchangeError {
        let names = libraries.available.map(\.rawValue).joined(separator: ", ")
        return ExchangeError(
            .unavailableCompression,
            "Compression with \(algorithm) is not to be had here: its library is missing. Install it (libzstd for zstd, zlib "
                + "for zlib), or use one of those that are here: \(names).")
    }
}
