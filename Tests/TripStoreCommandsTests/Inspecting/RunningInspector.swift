#if Inspector
    import Foundation
    import Testing

    /// The program `tripstore inspect` on a store, which `tripstore` hands over to `tripstore-inspect`.
    struct RunningInspector: Sendable {
        /// Its folder is there as long as this is.
        let tool: Tool
        let process: RunningTool
        let port: Int
        /// Opens once.
        let address: String

        /// - Parameter arguments: beside those that keep a browser closed and take a free port.
        init(_ tool: Tool, _ arguments: String...) async throws {
            try await self.init(tool, process: RunningTool(Self.line(tool, arguments)))
        }

        /// Waits until a process serves, which was started with `line(_:_:)`.
        init(_ tool: Tool, process: RunningTool) async throws {
            (self.tool, self.process) = (tool, process)
            let object = try Tool.Outcome.object(try await process.line())
            address = try #require(object["address"] as? String)
            port = try #require(object["port"] as? Int)
        }

        static func line(_ tool: Tool, _ arguments: [String]) -> [String] {
            ["inspect", "--json", "--no-open", "--store", tool.path]
                + (arguments.contains("--port") ? arguments : arguments + ["--port", "0"])
        }

        /// The path of the address.
        var opening: String { URL(string: address)?.path ?? "" }
        /// Beginning of all other paths.
        var root: String { String(opening.dropLast("/open".count)) }

        func answer(_ request: PlainRequest) async throws -> PlainAnswer {
            try await PlainHTTP.answer(to: request, port: port)
        }

        /// Asks without a cookie.
        func answer(_ target: String) async throws -> PlainAnswer { try await answer(PlainRequest(target: target)) }

        /// Uses the token, and keeps the cookie.
        func opened(sourceLocation: SourceLocation = #_sourceLocation) async throws -> InspectorClient {
            let opened = try await answer(opening)
            #expect(opened.status == 200, sourceLocation: sourceLocation)
            let cookie = try #require(opened.header("set-cookie"), sourceLocation: sourceLocation)
            return InspectorClient(port: port, root: root, cookie: String(cookie.prefix { $0 != ";" }))
        }

        /// Ends it as Ctrl-C does.
        func end(sourceLocation: SourceLocation = #_sourceLocation) async {
            #expect(await process.end(SIGINT) == 0, "\(process.complaint)", sourceLocation: sourceLocation)
        }
    }

    /// A client that has the cookie.
    struct InspectorClient: Sendable {
        let port: Int
        let root: String
        let cookie: String

        /// - Parameter target: below the path with the token.
        func answer(
            _ target: String, method: String = "GET", _ headers: [(name: String, value: String)] = [],
            body: Data = Data()
        ) async throws -> PlainAnswer {
            let headers = headers + [("cookie", cookie)]
            return try await PlainHTTP.answer(
                to: PlainRequest(method: method, target: root + target, headers: headers, body: body), port: port)
        }

        /// The rows of an answer of the interface.
        func rows(
            _ target: String, method: String = "GET", sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> [[String: Any]] {
            let answer = try await answer("/api/1/\(target)", method: method)
            #expect(answer.status == 200, "\(target): \(answer.text.prefix(1_000))", sourceLocation: sourceLocation)
            return try #require(try answer.object()["rows"] as? [[String: Any]], sourceLocation: sourceLocation)
        }

        /// The status and the code of an answer that is a fault.
        func fault(
            _ target: String, method: String = "GET", sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> (status: Int, code: String) {
            let answer = try await answer("/api/1/\(target)", method: method)
            let error = try #require(
                try answer.object()["error"] as? [String: Any], "\(target): \(answer.text.prefix(1_000))",
                sourceLocation: sourceLocation)
            #expect((error["message"] as? String)?.isEmpty == false, sourceLocation: sourceLocation)
            return (answer.status, error["code"] as? String ?? "")
        }

        func events(_ target: String) -> ServerEvents {
            ServerEvents(
                lines: PlainHTTP.lines(
                    of: PlainRequest(target: "\(root)/api/1/\(target)", headers: [("cookie", cookie)]), port: port))
        }
    }

    /// Server-sent events.
    struct ServerEvents: Sendable {
        struct Event: Sendable {
            let name: String
            let id: String?
            let data: String

            func object() throws -> [String: Any] { try Tool.Outcome.object(data) }
        }

        let lines: AsyncStream<String>

        /// Waits until the server has sent something: it then follows the store.
        func begin() async { for await line in lines where !line.isEmpty { return } }

        /// The next event with a name; nil where they end before.
        func next(_ name: String) async -> Event? {
            var fields: [Substring: String] = [:]
            for await line in lines {
                if line.isEmpty, let data = fields["data"], let found = fields["event"] {
                    if found == name { return Event(name: found, id: fields["id"], data: data) }
                    fields = [:]
                }
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2 { fields[parts[0]] = parts[1].trimmingCharacters(in: .whitespaces) }
            }
            return nil
        }
    }
#endif
