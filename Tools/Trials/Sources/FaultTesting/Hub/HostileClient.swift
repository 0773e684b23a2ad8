import Events
import HubCarrier
import NIOCore
import TripStoreTestSupport

@testable import LogExchange

/// A client that uses a hub in one wrong way, and connects again each time it was cut.
struct HostileClient: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// Requests a whole journal and reads no answer.
        case unread
        /// Sends such a request packed, which becomes nearly a thousand times as large at the hub, and reads no answer.
        case bomb
        /// Sends large frames that are no requests.
        case large
        /// Begins a frame and does not go on with it.
        case half
        /// Sends a session's hello and nothing more.
        case greeting
        /// Says nothing, half of them after TLS's handshake.
        case silent

        /// Whether it needs a session.
        var isStranger: Bool { [.unread, .bomb, .large].contains(self) }
    }

    /// What a client managed.
    struct Counts: Sendable, Codable {
        var made = 0
        var cut = 0
        var refused = 0
        /// Why a connection was refused last.
        var refusal: String?

        mutating func add(_ other: Counts) {
            made += other.made
            cut += other.cut
            refused += other.refused
            refusal = other.refusal ?? refusal
        }
    }

    /// What the clients of a trial share.
    struct Shared: Sendable {
        let port: Int
        let hub: HubConnector
        /// The frame that the large ones send.
        let largeFrame: [UInt8]
        /// Each large frame that is on its way takes its bytes of this process too: a lane has one at a time.
        let lanes = (0..<16).map { _ in AsyncLock() }
    }

    let kind: Kind
    let number: Int
    let shared: Shared
    /// The replica as which it connects; nil for a kind without a session.
    let stranger: Stranger?
    let seed: UInt64

    /// Attacks until the task is cancelled.
    func run() async -> Counts {
        var random = SeededRandom(seed: seed)
        var counts = Counts()
        // They do not begin all at once.
        try? await Task.sleep(for: .milliseconds(Int64(random.next() % 10_000)))
        while !Task.isCancelled {
            let before = counts.made
            do {
                try await attack(&random) { counts.made += 1 }
                if !Task.isCancelled { counts.cut += 1 }
            } catch {
                if Task.isCancelled { break }
                if counts.made > before {
                    counts.cut += 1
                } else {
                    counts.refused += 1
                    counts.refusal = "\(error)"
                }
            }
            try? await Task.sleep(for: .milliseconds(Int64(2000 + random.next() % 8000)))
        }
        return counts
    }

    /// Connects, calls `made`, and attacks until the connection is cut.
    private func attack(_ random: inout SeededRandom, made: () -> Void) async throws {
        switch kind {
        case .unread, .bomb, .large:
            guard let stranger else { throw HubTrialError("A client of the kind \(kind) has no replica.") }
            var session = try await stranger.connect(to: shared.hub)
            defer { session.client.close() }
            made()
            if kind == .large { try await sendLarge(session.port, &random) }
            try await session.port.send(kind == .bomb ? stranger.bomb : stranger.request)
            try await session.stay()
        case .greeting:
            let port = try await shared.hub.connect()
            defer { port.close() }
            made()
            let hello = ClientHello(
                journal: nil, key: random.bytes(32), nonce: random.bytes(ClientHello.nonceSize),
                certificate: port.certificates.first)
            try await port.send(SessionFrame.clientHello(hello.encoded()).encoded())
            while try await port.receive() != nil {}
        case .half, .silent:
            let channel = try await RawConnection.open(
                to: shared.port, shakingHands: kind == .half || number % 2 == 1)
            made()
            try await withTaskCancellationHandler {
                if kind == .half { try await channel.writeAndFlush(RawConnection.halfFrame()) }
                try await channel.closeFuture.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        }
    }

    private func sendLarge(_ port: UnreadPort, _ random: inout SeededRandom) async throws {
        let lane = shared.lanes[number % shared.lanes.count]
        while true {
            await lane.lock()
            defer { lane.unlock() }
            try Task.checkCancellation()
            try await port.send(shared.largeFrame)
        }
    }
}
