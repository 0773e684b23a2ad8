#if Hub
    import Foundation
    import Spawning
    import StoreSupport
    import Synchronization
    import Testing

    /// A process of the tool that runs until it gets a signal. `tripstore-hub` takes over what needs a network.
    final class RunningTool: Sendable {
        private let process: Process
        private let said: AsyncStream<String>
        private let errors = Mutex("")
        private let exit = AsyncStream<Int32>.makeStream()

        init(_ arguments: [String]) throws {
            process = Process()
            process.executableURL = try KilledProcess.executable("tripstore")
            process.arguments = arguments
            let (output, complaints) = (Pipe.made(), Pipe.made())
            process.standardOutput = output
            process.standardError = complaints
            let lines = AsyncStream<String>.makeStream()
            said = lines.stream
            process.terminationHandler = { [exit] in exit.continuation.yield($0.terminationStatus) }
            try process.start()
            // The threads end with the process, whose ends of the pipes are the last.
            let (reader, errorReader) = (output.fileHandleForReading, complaints.fileHandleForReading)
            Thread.detachNewThread {
                var rest = Data()
                while case let part = reader.availableData, !part.isEmpty {
                    rest += part
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        lines.continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest = Data(rest[rest.index(after: end)...])
                    }
                }
                lines.continuation.finish()
            }
            Thread.detachNewThread { [self] in
                while case let part = errorReader.availableData, !part.isEmpty {
                    errors.withLock { $0 += String(decoding: part, as: UTF8.self) }
                }
            }
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        /// What it said on standard error.
        var complaint: String { errors.withLock { $0 } }

        /// The next line that it prints and that fits. Throws if it ends before.
        @discardableResult
        func line(where fits: @Sendable (String) -> Bool = { _ in true }) async throws -> String {
            for await line in said where fits(line) { return line }
            throw ToolEnded(complaint: complaint)
        }

        func raise(_ signal: Int32) { kill(process.processIdentifier, signal) }

        /// Sends a signal, waits for the end and returns the exit code; that of a process that was killed is the signal's.
        @discardableResult
        func end(_ signal: Int32 = SIGTERM) async -> Int32 {
            raise(signal)
            return await exitCode()
        }

        func exitCode() async -> Int32 {
            for await code in exit.stream { return code }
            return -1
        }
    }

    struct ToolEnded: Error {
        let complaint: String
    }

    /// A server that the tool runs on loopback.
    struct RunningServer {
        let tool: RunningTool
        /// With the journal, if it serves one store.
        let address: String
        let pin: String
        let port: Int
        /// Where its metrics are; nil without.
        let metrics: String?

        /// The address without a journal.
        var server: String { "https://127.0.0.1:\(port)" }

        init(_ arguments: String..., port: Int = 0) async throws {
            tool = try RunningTool(
                ["serve", "--listen", "127.0.0.1:\(port)", "--json"]
                    + (arguments.contains("--certificate") ? arguments : arguments + ["--self-signed"]))
            let object = try Tool.Outcome.object(try await tool.line())
            address = try #require(object["address"] as? String)
            pin = try #require(object["pin"] as? String)
            self.port = try #require(object["port"] as? Int)
            metrics = object["metrics"] as? String
        }
    }
#endif
