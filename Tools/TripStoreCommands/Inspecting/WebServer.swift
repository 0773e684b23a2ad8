/// A web server, as commands need it: the program `tripstore-inspect` supplies one.
///
/// `tripstore` is built without, and hands command lines that need it over to that program: see `OtherProgram`.
package protocol WebServer: Sendable {
    /// Serves until the command is interrupted or `idle` has passed without an answer other than 403. `listening` is called once with the port.
    ///
    /// - Parameters:
    ///   - host: a name, or an IP address without brackets.
    ///   - port: 0 for a free one.
    ///   - idle: nil to serve until the command is interrupted.
    func serve(
        host: String, port: Int, idle: Duration?, listening: @escaping @Sendable (Int) async -> Void,
        _ answer: @escaping @Sendable (WebRequest) async -> WebAnswer
    ) async throws
}

/// A request over HTTP.
package struct WebRequest: Sendable {
    /// In upper case, as sent.
    package let method: String
    /// Path and query as sent.
    package let target: String
    /// With names in lower case, in their order; one that is repeated is there as often. `host` is the authority of the request also where
    /// the protocol has it elsewhere.
    package let headers: [(name: String, value: String)]
    /// At most 64 KiB.
    package let body: [UInt8]

    package init(method: String, target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
    }

    /// The values of a header, whose name is in lower case.
    package func values(of name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }
}

/// The answer to a request over HTTP.
package struct WebAnswer: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Pieces, each of which is sent at once; the answer ends with the stream.
        case stream(AsyncStream<[UInt8]>)
    }

    package let status: Int
    /// The server adds what the protocol needs, such as Content-Length, unless it is among them.
    package let headers: [(String, String)]
    /// Without bytes for a request with the method HEAD, and for the status 304.
    package let body: Body

    package init(status: Int, headers: [(String, String)] = [], body: Body = .bytes([])) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

/// A command that needs a web server.
protocol WebCommand {}

/// The web server of the running command.
enum CurrentWebServer {
    @TaskLocal static var value: (any WebServer)?

    /// Throws `CommandError` where there is none. Commands that call this are handed over before.
    static func get() throws -> any WebServer {
        guard let value else { throw OtherProgram.web.isMissing(beside: "this program") }
        return value
    }
}
