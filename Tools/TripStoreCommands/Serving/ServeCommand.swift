package import ArgumentParser
package import Foundation
import HubDatabase
import LogExchange
import Logging
package import TripStore

package struct ServeCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve a store, or a hub, over the network.",
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
              tripstore serve --hub /srv/trips --begin devices.txt --listen [::]:443 \\
                --certificate hub.pem --key hub.key
              tripstore serve --database "$DATABASE" \\
                --begin devices.txt --listen [::]:443 \\
                --certificate hub.pem --key hub.key
              tripstore serve --hub /srv/trips --listen [::]:443 --self-signed \\
                --metrics 127.0.0.1:9464 --log-format json \\
                --webhook https://push.example/hub --webhook-secret hook.txt
            """)

    package init() {}

    @Option(
        name: .long, help: "The folder of the store to serve. Default: TRIPSTORE, or what 'tripstore config' says.",
        completion: .directory)
    package var store: String?

    @Option(
        name: .long, help: "Serve the journals of this folder, any number of them, in place of a store.",
        completion: .directory)
    package var hub: String?

    @Option(
        name: .long,
        help: """
            Serve the journals of this database, which any number of hubs share, in place of a store. \(DatabaseArgument.help.abstract)
            """)
    package var database: DatabaseArgument?

    @Flag(name: .long, help: DatabaseArgument.insecureHelp)
    package var insecureDatabase = false

    @Option(
        name: .long,
        help: """
            With --database, the folder for copies of journals that are in use, and for the certificate that --self-signed makes. Default: the \
            system's for temporary files.
            """,
        completion: .directory)
    package var scratch: String?

    @OptionGroup(title: "Hub") package var hosting: HostingOptions

    @Option(name: .long, help: "The address to listen on: HOST:PORT or [ADDRESS]:PORT. Port 0 takes a free one.")
    package var listen: ListenArgument

    @OptionGroup(title: "Certificate") package var certificate: CertificateOptions

    @OptionGroup(title: "Limits", visibility: HelpPage.rare) package var limits: ServingLimits

    @OptionGroup(title: "Operation", visibility: HelpPage.rare) package var operation: OperationOptions

    @Flag(name: .long, help: "Print JSON: one object, once it listens.")
    package var json = false

    package func validate() throws {
        if [store != nil, hub != nil, database != nil].count(where: { $0 }) > 1 {
            throw ValidationError("--store, --hub or --database: one of them.")
        }
        try database?.check(isInsecure: insecureDatabase)
        if scratch != nil && database == nil { throw ValidationError("--scratch: only with --database.") }
        if database != nil && certificate.selfSigned && scratch == nil {
            throw ValidationError("--self-signed with --database: give --scratch DIR, where the certificate stays.")
        }
        if hub == nil && database == nil, let option = hosting.given {
            throw ValidationError("\(option): only with --hub or --database.")
        }
    }

    package func run() async throws { try await CurrentNetwork.get().serve(self) }

    /// Opens the store that the options name, and runs `body` with it and its folder.
    package func withServedStore(_ body: (TripStore, URL) async throws -> Void) async throws {
        var options = StoreOptions()
        options.store = store
        options.json = json
        let folder = try options.folder
        try await withStore(options) { try await body($0, folder) }
    }

    /// Prints where it listens, by what key clients know it, and where its metrics are, if they are anywhere.
    package func show(address: String, host: String, port: Int, pin: Digest, metrics: String?) {
        guard json else {
            Console.current.out("Listening on \(address)")
            Console.current.out("The key's hash is \(pin)")
            if let metrics { Console.current.out("Metrics are at \(metrics)") }
            return
        }
        let members: [(String, JSON)] = [
            ("address", .string(address)), ("host", .string(host)), ("port", .integer(port)),
            ("pin", .string("\(pin)")), ("metrics", .optional(metrics)),
        ]
        Console.current.out(JSON.object(members).text)
    }
}

extension ServeCommand: NetworkCommand {
    package var needsNetwork: Bool { true }
}
