import Synchronization

/// Ports for a server that ends and comes back at the same one.
///
/// A port that the system chose (`port: 0`) may belong to another by then: it chooses from the same range for all other
/// listeners, and for the near end of each connection. These lie below that range, and each is given once in a process.
public enum LastingPort {
    private static let next = Mutex(Int.random(in: 15_000..<25_000))

    /// Starts a server at a port that is free.
    public static func start<Server>(_ start: (Int) async throws -> Server) async throws -> Server {
        for _ in 0..<20 {
            if let server = try? await start(take()) { return server }
        }
        return try await start(take())
    }

    private static func take() -> Int {
        next.withLock { next in
            next += 1
            return next
        }
    }
}
