import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The program `tripstore-inspect` over a store, and a client that its door let in.
final class InspectedPage {
    private let process = Process()
    private let client = URLSession(configuration: .ephemeral)
    private let root: URL
    private let cookie: String

    /// Waits until the program listens.
    init(of store: URL, state: URL) async throws {
        let beside = URL(fileURLWithPath: Child.ownPath).deletingLastPathComponent()
        let program = beside.appendingPathComponent("tripstore-inspect")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw BenchError("\(program.path) is no program. Run Tools/bench, which builds it.")
        }
        let output = Pipe()
        process.executableURL = program
        process.arguments = ["inspect", "--no-open", "--json", "--store", store.path]
        process.environment = ProcessInfo.processInfo.environment.merging(["XDG_STATE_HOME": state.path]) { $1 }
        process.standardOutput = output
        try process.run()
        struct Line: Decodable { let address: URL }
        // The first write is the whole line.
        let address = try JSONDecoder().decode(Line.self, from: output.fileHandleForReading.availableData).address
        root = address.deletingLastPathComponent()
        // Foundation on Linux does not keep the cookie for its path.
        let (_, opened) = try await client.data(from: address)
        let header = (opened as? HTTPURLResponse)?.value(forHTTPHeaderField: "Set-Cookie") ?? ""
        cookie = String(header.prefix { $0 != ";" })
    }

    /// A path and query below the page's address. Throws `BenchError` unless it is answered with the status 200.
    func ask(_ path: String) async throws {
        guard let address = URL(string: root.absoluteString + path) else { throw BenchError("\(path) is no path.") }
        var request = URLRequest(url: address)
        request.httpShouldHandleCookies = false
        request.setValue(cookie, forHTTPHeaderField: "Cookie")
        let (data, response) = try await client.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status == 200 else {
            throw BenchError("\(path) was not answered: \(String(decoding: data, as: UTF8.self))")
        }
    }

    /// Anonymous memory of the program now; 0 where the system does not report it.
    var anonymousBytes: Int {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    func end() {
        process.terminate()
        process.waitUntilExit()
    }
}
