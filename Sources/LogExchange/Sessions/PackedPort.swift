import Events

/// A connection whose larger frames are packed, by the method that both ends named in their hellos.
struct PackedPort: FramePort {
    private let port: any FramePort
    private let algorithm: Compression
    private let libraries: CompressionLibraries

    /// The port itself if the two have no method in common.
    ///
    /// `named` are the other's, as they are in its hello.
    static func wrapping(
        _ port: any FramePort, named: [UInt8], _ libraries: CompressionLibraries
    ) -> any FramePort {
        let algorithm = libraries.best(of: named)
        return algorithm == .none ? port : PackedPort(port: port, algorithm: algorithm, libraries: libraries)
    }

    var certificates: [Digest] { port.certificates }

    func send(_ frame: [UInt8]) async throws {
        guard let packed = PackedMessage.packed(frame, with: algorithm, libraries) else {
            return try await port.send(frame)
        }
        var writer = WireWriter(reservingCapacity: packed.count + 16)
        writer.bytes(SessionFrame.packedField, packed)
        try await port.send(writer.finish())
    }

    /// Throws `ExchangeError.malformed` for a frame that is packed by another method, or wrongly.
    func receive() async throws -> [UInt8]? {
        try await port.receive().map { try SessionFrame.unpacked($0, by: algorithm, libraries) }
    }

    var receivedBytes: UInt64 { port.receivedBytes }

    func admitted() { port.admitted() }

    func close() { port.close() }
}

extension CompressionLibraries {
    /// As a hello names them: a byte for each method, the best first.
    var named: [UInt8] { available.filter { $0 != .none }.map { UInt8($0.number) } }

    /// The best of those that a hello names and this system has.
    func best(of named: [UInt8]) -> Compression {
        available.first { named.contains(UInt8($0.number)) } ?? .none
    }
}

extension SessionFrame {
    static let packedField: UInt32 = 14

    /// The bytes of the frame that a packed one holds, or the frame as it is.
    ///
    /// Throws `ExchangeError`: `.malformed` if it is packed by another method, wrongly, or into more than a frame may have.
    static func unpacked(
        _ bytes: [UInt8], by algorithm: Compression, _ libraries: CompressionLibraries
    ) throws -> [UInt8] {
        do {
            return try bytes.withUnsafeBytes { raw in
                guard let message = try packedMessage(in: raw) else { return bytes }
                let packed = try PackedMessage(message)
                guard packed.algorithm == algorithm else {
                    throw WireError("it is packed by method \(packed.method), and not by \(algorithm.rawValue)")
                }
                return try packed.unpacked(message, atMost: largest, libraries)
            }
        } catch let error as WireError {
            throw ExchangeError(.malformed, "A frame of the other cannot be read: \(error).", cause: error)
        }
    }

    /// The same for a frame that may be packed by any method.
    public static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        let method = try bytes.withUnsafeBytes { raw in
            try packedMessage(in: raw).map { try PackedMessage($0).algorithm }
        }
        guard let algorithm = method ?? nil else { return bytes }
        return try unpacked(bytes, by: algorithm, .system)
    }

    private static func packedMessage(in bytes: UnsafeRawBufferPointer) throws(WireError) -> UnsafeRawBufferPointer? {
        var reader = WireReader(bytes)
        var (message, contents): (UnsafeRawBufferPointer?, Int) = (nil, 0)
        while let field = try reader.next() {
            if (1...packedField).contains(field.number) { contents += 1 }
            if field.number == packedField { message = try reader.bytes(field) } else { try reader.skip(field) }
        }
        guard message == nil || contents == 1 else { throw WireError("a frame has two contents") }
        return message
    }
}
