import TripStoreCommands

/// A web server that asks a command what a test wants to know, and ends.
struct AskingServer: WebServer {
    /// The port that it listens on where any may be taken.
    static let freePort = 4711

    let asking: @Sendable (_ ask: @Sendable (WebRequest) async -> WebAnswer) async -> Void

    func serve(
        host: String, port: Int, idle: Duration?, listening: @escaping @Sendable (Int) async -> Void,
        _ answer: @escaping @Sendable (WebRequest) async -> WebAnswer
    ) async throws {
        await listening(port == 0 ? Self.freePort : port)
        await asking(answer)
    }
}

extension WebRequest {
    /// A request of a program on this machine.
    static func get(_ target: String, _ headers: [(name: String, value: String)] = []) -> WebRequest {
        WebRequest(method: "GET", target: target, headers: [(name: "host", value: "localhost:8747")] + headers)
    }
}

extension WebAnswer {
    /// Nil for a stream.
    var bytes: [UInt8]? { if case .bytes(let bytes) = body { bytes } else { nil } }

    /// The value of a header that is there once at most.
    subscript(_ name: String) -> String? {
        let values = headers.filter { $0.0.lowercased() == name.lowercased() }.map(\.1)
        return values.count == 1 ? values[0] : nil
    }
}
