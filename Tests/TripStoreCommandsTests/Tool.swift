import Foundation
import StoreSupport
import Synchronization
import Testing
import TripStoreCommands

#if Hub
    import NetworkCommands
#endif

/// Runs the tool in this process, on a store in a folder of its own.
struct Tool {
    struct Outcome {
        let code: Int32
        let out: [String]
        let error: String

        /// The first line of output as a JSON object.
        func object() throws -> [String: Any] {
            let line = try #require(out.first, "\(error)")
            return try Self.object(line)
        }

        /// Every line of output as a JSON object.
        func objects() throws -> [[String: Any]] { try out.map(Self.object) }

        static func object(_ line: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    let folder = TemporaryFolder()

    /// The store's folder.
    var path: String { folder.path("store") }

    /// A tool whose store exists.
    static func withStore() async throws -> Tool {
        let tool = Tool()
        let outcome = await tool.run("init", "--name", "test")
        #expect(outcome.code == 0)
        return tool
    }

    /// Runs a command line on the store.
    func run(_ arguments: String...) async -> Outcome { await run(arguments) }

    func run(_ arguments: [String]) async -> Outcome {
        await Self.run(arguments + (arguments.contains("--store") ? [] : ["--store", path]))
    }

    static func run(_ arguments: [String]) async -> Outcome { await run(arguments) { _ in } }

    /// The network of `tripstore-hub`; nil in a build without.
    private static var network: (any Network)? {
        #if Hub
            HubNetwork()
        #else
            nil
        #endif
    }

    /// Runs a command line with another environment, and with a web server where one is given.
    static func run(
        _ arguments: [String], web: (any WebServer)? = nil, in change: (inout Console) -> Void
    ) async -> Outcome {
        let lines = Lines()
        var console = Console(out: { lines.add(out: $0) }, error: { lines.add(error: $0) })
        change(&console)
        let code = await TripStoreCommand.run(arguments, console: console, network: network, web: web)
        return lines.outcome(code)
    }

    /// Runs a command line on the store with another environment.
    func run(_ arguments: String..., in change: (inout Console) -> Void) async -> Outcome {
        await Self.run(arguments + ["--store", path], in: change)
    }

    /// Runs a command that must succeed, and returns its first line.
    func value(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let outcome = await run(arguments)
        #expect(outcome.code == 0, "\(outcome.error)", sourceLocation: sourceLocation)
        return try #require(outcome.out.first, sourceLocation: sourceLocation)
    }

    /// The newest position.
    func position() async throws -> Int {
        try #require(try await run("status", "--json").object()["position"] as? Int)
    }

    /// Invariants of every store at any time, by the tool's own commands.
    func expectInvariants(sourceLocation: SourceLocation = #_sourceLocation) async {
        let verified = await run("audit", "verify")
        #expect(verified.code == 0, "\(verified.out)", sourceLocation: sourceLocation)
        let replayed = await run("replay", "--verify")
        #expect(replayed.code == 0, "\(replayed.error)", sourceLocation: sourceLocation)
    }
}

private final class Lines: Sendable {
    private let lines = Mutex<(out: [String], error: [String])>(([], []))

    func add(out line: String) { lines.withLock { $0.out.append(line) } }
    func add(error line: String) { lines.withLock { $0.error.append(line) } }

    func outcome(_ code: Int32) -> Tool.Outcome {
        lines.withLock { Tool.Outcome(code: code, out: $0.out, error: $0.error.joined(separator: "\n")) }
    }
}
