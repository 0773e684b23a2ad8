#if Hub
    import Foundation
    import Testing

    /// A server that the tool runs on loopback.
    struct RunningServer {
        let tool: RunningTool
        /// With the journal, if it serves one store.
        let address: String
        let pin: String
        let port: Int
        /// The address of its metrics; nil without.
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
