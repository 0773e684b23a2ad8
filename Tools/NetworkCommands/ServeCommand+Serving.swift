#if Hub
    import Foundation
    import HubCarrier
    import HubDatabase
    import LogExchange
    import TripStore
    import TripStoreCommands
    import TripStoreTransports

    extension ServeCommand {
        func serve() async throws {
            try operation.checkWebhook()
            if let hub {
                try await serve(hub: URL(argument: hub))
            } else if let database {
                try await serve(database)
            } else {
                try await withServedStore { store, folder in
                    let server = store.sessionServer(limits: limits.sessionLimits)
                    try await served(in: folder).run(server) { show($0, "/\(store.journal)") }
                }
            }
        }

        private func serve(hub folder: URL) async throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let logger = operation.logger("tripstore.hub")
            let journals = JournalFolder(
                folder, options: try hosting.options(leastFree: operation.leastFree), logger: logger)
            // So that a folder that cannot be read is an error at once.
            _ = try journals.journals()
            do {
                let served = served(in: folder, journals)
                try await served.run(SessionServer(journals, limits: limits.sessionLimits, logger: logger)) {
                    show($0, "")
                }
                await journals.close()
            } catch {
                await journals.close()
                throw error
            }
        }

        private func serve(_ database: DatabaseArgument) async throws {
            let logger = operation.logger("tripstore.hub")
            try await SharedJournals(
                database: database, hosting: hosting, leastFree: operation.leastFree, scratch: scratch
            ).serve(logger) {
                folder, journals, database in
                let served = served(in: folder, journals, database)
                try await served.run(SessionServer(journals, limits: limits.sessionLimits, logger: logger)) {
                    show($0, "")
                }
            }
        }

        private func served(in folder: URL, _ journals: JournalFolder? = nil, _ database: HubDatabase? = nil)
            -> ServedHub
        {
            ServedHub(
                listen: listen, certificate: certificate, limits: limits, operation: operation, folder: folder,
                journals: journals, database: database)
        }

        private func show(_ running: ServedHub.Running, _ path: String) {
            let listener = running.listener
            let metrics = running.status.map { status in
                "http://\(status.host.contains(":") ? "[\(status.host)]" : status.host):\(status.port)/metrics"
            }
            show(
                address: "\(HubAddress(host: listener.host, port: listener.port))\(path)", host: listener.host,
                port: listener.port, pin: listener.pin, metrics: metrics)
        }
    }
#endif
