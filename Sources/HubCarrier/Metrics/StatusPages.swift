#if Hub
    /// What a `StatusServer` shows.
    struct StatusPages: Sendable {
        struct Page {
            let code: Int
            let type: String
            let text: String
        }

        let health: HubHealth
        let metrics: @Sendable () async -> String

        func page(at path: String) async -> Page {
            switch path.prefix(while: { $0 != "?" }) {
            case "/metrics":
                return Page(code: 200, type: "text/plain; version=0.0.4; charset=utf-8", text: await metrics())
            // The process runs, and would rather not be restarted.
            case "/healthz": return plain(200, "ok")
            case "/readyz":
                return health.reason.map { plain(503, $0) } ?? plain(200, health.note.map { "ok\n\($0)" } ?? "ok")
            default: return plain(404, "There are /metrics, /healthz and /readyz.")
            }
        }

        private func plain(_ code: Int, _ text: String) -> Page {
            Page(code: code, type: "text/plain; charset=utf-8", text: "\(text)\n")
        }
    }
#endif
