import Events

/// A connection after its greeting: larger frames are packed, by the method that both ends named in their hellos.
struct PackedPort: FramePort {
    private let port: any FramePort
    private let algorithm: Compression
    private let libraries: CompressionLibraries

    /// `named` are the methods of the other, as they are in its hello.
    init(_ port: any FramePort, named: [UInt8], _ libraries: CompressionLibraries) {
        self.port = port
        self.libraries = libraries
        algorithm = libraries.best(of: named)
    }

    var certificates: [Digest] { port.certificates }

    func send(_ frame: [UInt8]) async throws {
        guard algorithm != .none, let packed = PackedMessage.packed(frame, with: algorithm, libraries) else {
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

    var sentBytes: UInt64 { port.sentBytes }

    var isAwaitingRest: Bool { port.isAwaitingRest }

    var memory: MemoryShare? { port.memory }

    func stands(_ standing: ClientStanding, of replica: ReplicaID) { port.stands(standing, of: replica) }

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

    /// Returns the bytes of a receiver's memory that a frame takes until it is read, by its length and its first bytes.
    /// A packed frame announces its unpacked size, and unpacking is held to that; one that does not begin with that
    /// size counts as the largest that it may become.
    public static func cost(ofLength length: Int, beginning: some Collection<UInt8>) -> Int {
        let size = packedTag == beginning.first ? announcedSize(Array(beginning)) ?? largest : length
        let unpacked = min(
            max(size, length), largest,
            length.multipliedReportingOverflow(by: PackedMessage.mostBytesPerPacked).partialValue)
        // What was unpacked is read where it lies; and each frame has some memory of its own.
        return 256 + AnswerRoom.cost(of: length) + (unpacked > length ? unpacked : 0)
    }

    /// How many first bytes of a frame `cost` looks at.
    public static let beginning = 32
    private static let packedTag = UInt8(packedField << 3 | 2)

    /// The size that a packed frame names before its bytes; nil if it does not.
    private static func announcedSize(_ bytes: [UInt8]) -> Int? {
        // The frame's tag and length, then the method and the size, each a varint behind its tag.
        var index = 1
        func varint() -> UInt64? {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while index < bytes.count, shift < 63 {
                let byte = bytes[index]
                index += 1
                value |= UInt64(byte & 127) << shift
                if byte & 128 == 0 { return value }
                shift += 7
            }
            return nil
        }
        guard varint() != nil, varint() == 1 << 3, varint() != nil, varint() == 2 << 3, let size = varint() else {
            return nil
        }
        return Int(clamping: size)
    }

    private static func reading<T>(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> T) throws -> T {
        do { return try bytes.withUnsafeBytes(body) } catch let error as WireError {
            throw ExchangeError(.malformed, "A frame of the other cannot be read: \(error).", cause: error)
        }
    }

    /// The bytes of the frame that a packed one holds, or the frame as it is.
    ///
    /// Throws `ExchangeError`: `.malformed` if it is packed by another method, wrongly, or into more than a frame may have.
    static func unpacked(
        _ bytes: [UInt8], by algorithm: Compression, _ libraries: CompressionLibraries
    ) throws -> [UInt8] {
        try reading(bytes) { raw in
            guard let message = try packedMessage(in: raw) else { return bytes }
            let packed = try PackedMessage(message)
            guard algorithm != .none, packed.algorithm == algorithm else {
                throw WireError("it is packed by method \(packed.method), and not by \(algorithm.rawValue)")
            }
            return try packed.unpacked(message, atMost: largest, libraries)
        }
    }

    /// Returns the bytes of the frame that a frame packed by any method holds, or the frame as it is if it is not
    /// packed.
    ///
    /// Throws `ExchangeError`: `.malformed` if it is packed wrongly, or into more than a frame may have.
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
