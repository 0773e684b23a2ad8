import Foundation
public import HubDatabase
import Spawning
import Synchronization

/// A PostgreSQL server of the tests' own, in a folder and on a socket of its own. It ends with the process that started it.
public final class TestServer: Sendable {
    /// Whether the programs are on this machine: Debian's packages `postgresql` and `libpq5`.
    public static let isAvailable = binaries != nil && HubDatabase.isAvailable
    public static let hint = "PostgreSQL is not here (Tools/set-up tests installs it)"

    /// The newest version's.
    static let binaries: String? = {
        let files = FileManager.default
        let debian = "/usr/lib/postgresql"
        let versions = ((try? files.contentsOfDirectory(atPath: debian)) ?? []).compactMap { Int($0) }.sorted(by: >)
        let folders =
            versions.map { "\(debian)/\($0)/bin" }
            + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return folders.first {
            files.isExecutableFile(atPath: "\($0)/initdb") && files.isExecutableFile(atPath: "\($0)/postgres")
        }
    }()

    /// One for all tests of a process: each has a database of its own. It does not sync.
    public static let shared = Task { try await TestServer() }

    public let folder: String
    public let port: Int
    private let process = Mutex<Process?>(nil)
    private let keepsFiles: Bool

    /// Makes a server, and starts it unless it is to be a standby of another.
    ///
    /// With `syncs` it writes as a server in operation does. It listens on `port` of the loopback, or on no port.
    public init(syncs: Bool = false, port: Int = 0, settings: [String: String] = [:], copyOf primary: TestServer? = nil)
        async throws
    {
        guard let binaries = Self.binaries else { throw Failure(words: Self.hint) }
        self.port = port
        // Of root's own folders the server, which runs as another user, may see nothing.
        folder =
            (getuid() == 0 ? "/tmp" : NSTemporaryDirectory()) + "/tripstore-postgresql-\(UUID().uuidString.prefix(8))"
        keepsFiles = false
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if getuid() == 0 {
            // The server does not run as root.
            try await Self.run("/bin/chown", [Self.user, folder])
        }
        if let primary {
            try await Self.runAsServer(
                "\(binaries)/pg_basebackup",
                ["-h", primary.folder, "-U", "tripstore", "-D", "\(folder)/data", "-X", "stream", "-R", "-c", "fast"])
        } else {
            try await Self.runAsServer(
                "\(binaries)/initdb",
                [
                    "-D", "\(folder)/data", "-U", "tripstore", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync",
                    "--no-instructions",
                ])
        }
        var all = [
            "listen_addresses": port == 0 ? "''" : "'127.0.0.1'", "port": "\(port == 0 ? 5432 : port)",
            "unix_socket_directories": "'\(folder)'", "fsync": syncs ? "on" : "off", "max_connections": "200",
            "shared_buffers": "32MB", "logging_collector": "off", "log_min_messages": "fatal",
            "max_wal_size": "256MB", "autovacuum": "off",
        ]
        all.merge(settings) { _, given in given }
        let lines = all.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: "\n")
        let include = "\(folder)/settings.conf"
        try lines.write(toFile: include, atomically: true, encoding: .utf8)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder)/data/postgresql.auto.conf"))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\ninclude '\(include)'\n".utf8))
        try file.close()
        try await start()
    }

    deinit {
        kill()
        if !keepsFiles { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// Starts the server, and returns once it takes connections.
    public func start() async throws {
        guard let binaries = Self.binaries else { throw Failure(words: Self.hint) }
        let process = Process()
        // The end of this process closes the shell's input, and the shell ends the server.
        let script =
            #""$0" -D "$1/data" >>"$1/server.log" 2>&1 & read -r line; kill -9 -- $! $(pgrep -P $!) 2>/dev/null; wait; [ "$line" ] || rm -rf "$1""#
        (process.executableURL, process.arguments) = Self.command(
            "/bin/bash", ["-c", script, "\(binaries)/postgres", folder])
        process.standardInput = Pipe.made()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
        self.process.withLock { $0 = process }
        for _ in 0..<600 {
            if (try? await Self.runAsServer(
                "\(binaries)/pg_isready", ["-h", folder, "-p", "\(port == 0 ? 5432 : port)", "-q"])) != nil
            {
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        let log = (try? String(contentsOfFile: "\(folder)/server.log", encoding: .utf8)) ?? ""
        throw Failure(words: "The server did not start: \(log.suffix(1000))")
    }

    /// Kills the server and all its processes, as a crash of its machine would.
    public func kill() {
        let process = process.withLock { process in
            defer { process = nil }
            return process
        }
        guard let process, let input = process.standardInput as? Pipe else { return }
        try? input.fileHandleForWriting.write(contentsOf: Data("again\n".utf8))
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Lets a standby take over.
    public func promote() async throws {
        guard let binaries = Self.binaries else { return }
        try await Self.runAsServer("\(binaries)/pg_ctl", ["promote", "-D", "\(folder)/data", "-w"])
    }

    /// The address of a database.
    public func address(of database: String = "postgres") throws -> DatabaseAddress {
        let host = port == 0 ? "?host=\(folder)&user=tripstore" : "?user=tripstore"
        guard let address = DatabaseAddress("postgresql://\(port == 0 ? "" : "127.0.0.1:\(port)")/\(database)\(host)")
        else {
            throw Failure(words: "The address is wrong.")
        }
        return address
    }

    /// Runs SQL with psql, and returns what it prints.
    @discardableResult
    public func sql(_ text: String, in database: String = "postgres") async throws -> String {
        guard let binaries = Self.binaries else { return "" }
        return try await Self.runAsServer(
            "\(binaries)/psql",
            [
                "-h", folder, "-p", "\(port == 0 ? 5432 : port)", "-U", "tripstore", "-d", database, "-AtXq", "-v",
                "ON_ERROR_STOP=1", "-c", text,
            ])
    }

    /// A new empty database of the shared server.
    public static func database() async throws -> (server: TestServer, name: String, address: DatabaseAddress) {
        let server = try await shared.value
        let name = "t\(UUID().uuidString.filter { $0 != "-" }.lowercased())"
        try await server.sql("CREATE DATABASE \(name) TEMPLATE template0")
        return (server, name, try server.address(of: name))
    }

    // MARK: Processes

    public struct Failure: Error, CustomStringConvertible {
        let words: String
        public var description: String { words }
    }

    private static let user = FileManager.default.fileExists(atPath: "/usr/lib/postgresql") ? "postgres" : "nobody"

    /// As a user that is not root.
    private static func command(_ program: String, _ arguments: [String]) -> (URL, [String]) {
        guard getuid() == 0 else { return (URL(fileURLWithPath: program), arguments) }
        return (
            URL(fileURLWithPath: "/usr/bin/setpriv"),
            ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", program] + arguments
        )
    }

    @discardableResult
    private static func runAsServer(_ program: String, _ arguments: [String]) async throws -> String {
        let (url, arguments) = command(program, arguments)
        return try await run(url.path, arguments)
    }

    @discardableResult
    private static func run(_ program: String, _ arguments: [String]) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        let output = Pipe.made()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try process.start()
                    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                    process.waitUntilExit()
                    guard process.terminationStatus == 0 else {
                        return continuation.resume(throwing: Failure(words: "\(program): \(text)"))
                    }
                    continuation.resume(returning: text.trimmingCharacters(in: .whitespacesAndNewlines))
                } catch { continuation.resume(throwing: error) }
            }
        }
    }
}
