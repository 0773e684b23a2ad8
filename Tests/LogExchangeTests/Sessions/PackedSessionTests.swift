import EventLog
import Events
import Platform
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

@Suite("Sessions whose frames are packed", .timeLimit(.minutes(10)))
struct PackedSessionTests {
    private static let nothing = CompressionLibraries(zlib: [], zstd: [])
    private static let onlyZlib = CompressionLibraries(zlib: System.zlib, zstd: [])

    enum Side: CaseIterable { case both, onlyZlib, clientWithout, serverWithout }

    private static func dependencies(_ libraries: CompressionLibraries) -> SessionDependencies {
        var dependencies = SessionDependencies.system
        dependencies.compression = libraries
        return dependencies
    }

    private static func server(_ log: Log, _ libraries: CompressionLibraries) -> SessionServer {
        SessionServer(
            SingleLogHost(log), limits: SessionLimits(refusal: .zero), dependencies: dependencies(libraries))
    }

    @Test("Both ends use the best method that both have, and none if there is none in common", arguments: Side.allCases)
    func negotiated(side: Side) async throws {
        let fixture = try await SessionFixture()
        let libraries: (client: CompressionLibraries, server: CompressionLibraries) =
            switch side {
            case .both: (.system, .system)
            case .onlyZlib: (.system, Self.onlyZlib)
            case .clientWithout: (Self.nothing, .system)
            case .serverWithout: (.system, Self.nothing)
            }
        let expected: Compression? =
            switch side {
            case .both: Compression.available.first
            case .onlyZlib: Self.onlyZlib.available.first
            case .clientWithout, .serverWithout: nil
            }
        let network = MemoryNetwork(Self.server(fixture.founder.log, libraries.server))
        let bytes = Mutex<[Compression?: Int]>([:])
        network.setHook { frame, _, _ in
            let method = (try? SessionFrame.method(of: frame)) ?? nil
            bytes.withLock { $0[method, default: 0] += frame.count }
            return .arrives
        }
        let member = try await fixture.replica("member")
        try await member.write(200, bytes: 1000)
        try await fixture.founder.write(200, bytes: 1000)
        let session = try await SessionClient.connect(
            network, as: member.log, dependencies: Self.dependencies(libraries.client))
        try await member.exchange(with: SessionPeer(session, for: member.log, remembers: false))
        try await expectEqual([fixture.founder, member])
        let found = bytes.withLock { $0 }
        #expect(Set(found.keys.compactMap { $0 }) == Set([expected].compactMap { $0 }))
        let total = found.values.reduce(0, +)
        #expect(expected == nil ? total > 400_000 : total < 100_000)
    }

    /// Exchanges while the hook changes the first large frame in a direction. Returns the client's error.
    private func tampered(
        _ direction: MemoryNetwork.Direction, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) async throws -> (any Error)? {
        let fixture = try await SessionFixture()
        let network = MemoryNetwork(fixture.server)
        let isFirst = Mutex(true)
        network.setHook { frame, way, number in
            guard way == direction, number > 3, (try? SessionFrame.method(of: frame)) != .some(nil),
                isFirst.withLock({ first in
                    defer { first = false }
                    return first
                })
            else { return .arrives }
            return .changed(change(frame))
        }
        let member = try await fixture.replica("member")
        try await member.write(100, bytes: 1000)
        try await fixture.founder.write(100, bytes: 1000)
        let error = await failure {
            let session = try await fixture.connect(member, over: network)
            try await member.exchange(with: SessionPeer(session, for: member.log, remembers: false))
        }
        #expect(isFirst.withLock { !$0 })
        try await eventually { fixture.server.connections == (0, 0) }
        try fixture.founder.expectIntact()
        try member.expectIntact()
        return error
    }

    private static func frame(_ method: UInt64, _ size: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        var writer = WireWriter()
        writer.message(SessionFrame.packedField) { packed in
            packed.varint(1, method)
            packed.varint(2, size)
            packed.bytes(3, bytes)
        }
        return writer.finish()
    }

    enum Bomb: CaseIterable, Sendable {
        case giantClaim, moreThanClaimed, moreThanAFrame, unknownMethod, otherMethod, notPacked, nested, twoContents

        /// In place of the frame.
        func frame(_ frame: [UInt8]) -> [UInt8] {
            let best = Compression.best(knownTo: Compression.allCases)
            let zeros = [UInt8](repeating: 0, count: SessionFrame.largest + 1)
            let bomb = CompressionLibraries.system.pack(zeros, with: best) ?? []
            return switch self {
            case .giantClaim: PackedSessionTests.frame(best.number, .max, bomb)
            case .moreThanClaimed: PackedSessionTests.frame(best.number, UInt64(bomb.count), bomb)
            case .moreThanAFrame: PackedSessionTests.frame(best.number, UInt64(zeros.count), bomb)
            case .unknownMethod: PackedSessionTests.frame(9, 100, [1, 2, 3])
            case .otherMethod:
                PackedSessionTests.frame(
                    1, 4000, CompressionLibraries.system.pack(zeros.prefix(4000).reversed(), with: .zlib) ?? [])
            case .notPacked: PackedSessionTests.frame(best.number, 100, [1, 2, 3])
            case .nested:
                PackedSessionTests.frame(
                    best.number, UInt64(frame.count * 2),
                    CompressionLibraries.system.pack(frame + frame, with: best) ?? [])
            case .twoContents: frame + frame
            }
        }
    }

    @Test(
        "A frame that is packed wrongly, otherwise than agreed, or as a bomb ends the session", arguments: Bomb.allCases
    )
    func bombs(bomb: Bomb) async throws {
        let error = try #require(try await tampered(.toClient) { bomb.frame($0) } as? ExchangeError)
        #expect([.malformed, .newerVersion].contains(error.code), "\(error)")
        #expect(try await tampered(.toServer) { bomb.frame($0) } != nil)
    }

    @Test("Before a client is admitted, and where nothing was agreed, nothing is unpacked")
    func tooEarly() async throws {
        let fixture = try await SessionFixture()
        let client = try await RawClient(fixture.network)
        let hello = SessionFrame.clientHello(client.hello(nil)).encoded()
        let message = PackedMessage.encoded(hello, of: hello.count, by: .none)
        var writer = WireWriter()
        writer.bytes(SessionFrame.packedField, message)
        try await client.port.send(writer.finish())
        #expect(try await client.rest() == [])
        #expect(throws: ExchangeError.self) { try SessionFrame(writer.bytes) }
    }
}

extension SessionFrame {
    /// How a frame is packed; nil if it is not.
    static func method(of frame: [UInt8]) throws -> Compression? {
        try frame.withUnsafeBytes { raw in
            var reader = WireReader(raw)
            guard let field = try reader.next(), field.number == packedField else { return nil }
            return try PackedMessage(try reader.bytes(field)).algorithm
        }
    }
}
