import ArgumentParser
import Foundation
import HubDatabase
import LogExchange
import Logging
import TripStore

#if Hub
    import HubCarrier
#endif

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve a store, or a hub for any number of journals, over the network.",
        discussion: """
            Members of a journal exchange with it by 'tripstore sync https://HOST:PORT', or stay in sync with --stay. It tells nothing to \
            others. A hub stores and forwards; it decides nothing, and can be thrown away: any member fills a new one.

            It speaks TLS 1.3 alone. --self-signed makes a key and a certificate in the folder, the first time, and prints the key's \
            hash, which members give with --pin, or get with an invitation ('tripstore invite --hub'). Files that --certificate and \
            --key name are read again on SIGHUP. SIGTERM and SIGINT end it in order: it takes no further connections, and sessions end after \
            what they are at. A second one ends it at once, and nothing that was acknowledged is lost.

            Beside the sessions it answers grpc.health.v1.Health.

            Examples:
              tripstore serve --listen 0.0.0.0:4433 --self-signed
              tripstore serve --hub /srv/trips --begin anyone --listen [::]:443 \\
                --certificate hub.pem --key hub.key
              tripstore serve --database postgresql://hub@db/trips \\
                --begin anyone --listen [::]:443 \\
                --certificate hub.pem --key hub.key
              tripstore serve --hub /srv/trips --listen [::]:443 --self-signed \\
                --metrics 127.0.0.1:9464 --log-format json \\
                --webhook https://push.example/hub --webhook-secret hook.txt
            """)

    @Option(
        name: .long, help: "The folder of the store to serve. Default: TRIPSTORE, or what 'tripstore config' says.",
        completion: .directory)
    var store: String?

    @Option(
        name: .long, help: "Serve the journals of this folder, any number of them, in place of a store.",
        completion: .directory)
    var hub: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Serve the journals of this database, which any number of hubs share, in place of a store.",
            discussion: DatabaseArgument.help.abstract))
    var database: DatabaseArgument?

    @Option(
        name: .long,
        help: """
            With --database, the folder for copies of journals that are in use, and for the certificate that --self-signed makes. Default: the \
            system's for temporary files.
            """,
        completion: .directory)
    var scratch: String?

    @OptionGroup var hosting: HostingOptions

    @Option(name: .long, help: "The address to listen on: HOST:PORT or [ADDRESS]:PORT. Port 0 takes a free one.")
    var listen: ListenArgument

    @OptionGroup var certificate: CertificateOptions

    @OptionGroup var limits: ServingLimits

    @OptionGroup var operation: OperationOptions

    @Flag(name: .long, help: "Print JSON: one object, once it listens.")
    var json = false

    func validate() throws {
        if [store != nil, hub != nil, database != nil].count(where: { $0 }) > 1 {
            throw ValidationError("--store, --hub or --database: one of them.")
        }
        try database?.check()
        if scratch != nil && database == nil { throw ValidationError("--scratch: only with --database.") }
        if database != nil && certificate.selfSigned && scratch == nil {
            throw ValidationError("--self-signed with --database: give --scratch DIR, where the certificate stays.")
        }
        if hub == nil && database == nil, let option = hosting.given {
            throw ValidationError("\(option): only with --hub or --database.")
        }
    }

    func run() async throws {
        #if Hub
            if let hub {
                try await serve(hub: URL(argument: hub))
            } else if let database {
                try await serve(database)
            } else {
                try await serveStore()
            }
        #else
            throw NoNetwork.error
        #endif
    }

    #if Hub
        private func serveStore() async throws {
            var options = StoreOptions()
            options.store = store
            options.json = json
            try await withStore(options) { store in
                let server = store.sessionServer(limits: limits.sessionLimits)
                let served = served(in: try options.folder)
                try await served.run(server) { show($0, "/\(store.journal)") }
            }
        }

        private func serve(hub folder: URL) async throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let logger = operation.logger("tripstore.hub")
            let journals = JournalFolder(folder, options: try hosting.options(), logger: logger)
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
            try await SharedJournals(database: database, hosting: hosting, scratch: scratch).serve(logger) {
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
            let address = HubAddress(host: listener.host, port: listener.port)
            let metrics = running.status.map { status in
                "http://\(status.host.contains(":") ? "[\(status.host)]" : status.host):\(status.port)/metrics"
            }
            guard json else {
                Console.current.out("Listening on \(address)\(path)")
                Console.current.out("The key's hash is \(listener.pin)")
                if let metrics { Console.current.out("Metrics are at \(metrics)") }
                return
            }
            let members: [(String, JSON)] = [
                ("address", .string("\(address)\(path)")), ("host", .string(listener.host)),
                ("port", .integer(listener.port)), ("pin", .string("\(listener.pin)")), ("metrics", .optional(metrics)),
            ]
            Console.current.out(JSON.object(members).text)
        }
    #endif
}
