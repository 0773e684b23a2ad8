import Synchronization

/// Ports for a server that ends and comes back at the same one.
///
/// A port from `port: 0` is ephemeral: before the server is back, the system may give it to another listener or to an
/// outgoing connection. These lie below that range, and each is given once in a process.
public enum LastingPort {
    private static let next = Mutex(Int.random(in: 15_000..<25_000))

    /// Starts a server at one, and at another if that fails: a program outside of the tests may have it. Throws what the
    /// last attempt throws.
    public static func start<Server>(_ start: (Int) async throws -> Server) async throws -> Server {
        for _ in 0..<2 {
            if let server = try? await start(take()) { return server }
            try Task.checkCancellation()
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
