import ArgumentParser
import Events
import Foundation
import TripStore

struct FeedServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the calendars of feeds until it is stopped.",
        discussion: """
            Programs of this machine alone reach it, unless an address is given. It speaks HTTP without encryption: on a network, others \
            can read addresses and calendars. There a server of the web with a certificate passes requests on to it, and --host says what \
            that is called. Requests for another host are refused. Changes of the store, and addresses that are added and revoked, count \
            at once.

            Examples:
              tripstore feed serve
              tripstore feed serve --listen 192.168.1.5:8747 --host laptop.local
              tripstore feed serve --host calendar.example
            """)

    @OptionGroup var options: StoreOptions

    @Option(
        name: .long,
        help: """
            The address to listen on: HOST:PORT or [ADDRESS]:PORT. Port 0 takes a free one. Default: 127.0.0.1:\(FeedServer.defaultPort).
            """)
    var listen: ListenArgument?

    @Option(
        name: .long,
        help: "A name by which it is asked, besides localhost and the address to listen on; may be given several times."
    )
    var host: [String] = []

    func validate() throws {
        for name in host where ServedHosts.name(inHeader: name) == nil {
            throw ArgumentParser.ValidationError("--host \(name): a name or an address, one of version 6 in brackets.")
        }
        if let listen, ServedHosts.isEverywhere(listen.host), host.isEmpty {
            throw ArgumentParser.ValidationError(
                "--listen \(listen.host): name with --host what programs ask for, as laptop.local.")
        }
    }

    func run() async throws {
        let server = try CurrentWebServer.get()
        let place = listen ?? ListenArgument(host: "127.0.0.1", port: FeedServer.defaultPort)
        let store = try await options.openForReading()
        let secrets = FeedSecrets(in: try options.folder)
        // So that a file that cannot be used is an error at once.
        let count = try secrets.feeds().count
        let service = FeedService(of: store, secrets, as: ServedHosts(listening: place.host, named: self.host))
        let (console, host, isJSON) = (Console.current, place.host, options.json)
        try await server.serve(
            host: host, port: place.port, idle: nil,
            listening: { port in Self.show(host, port, feeds: count, isJSON, on: console) },
            { request in await service.answer(request) })
    }

    /// The task of a server may have another console than the command.
    private static func show(_ host: String, _ port: Int, feeds: Int, _ isJSON: Bool, on console: Console) {
        Console.$current.withValue(console) { show(host, port, feeds: feeds, isJSON) }
    }

    private static func show(_ host: String, _ port: Int, feeds count: Int, _ isJSON: Bool) {
        let address = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        guard !isJSON else {
            let members: [(String, JSON)] = [
                ("address", .string(address)), ("host", .string(host)), ("port", .integer(port)),
                ("feeds", .integer(count)),
            ]
            return Console.current.out(JSON.object(members).text)
        }
        Console.current.out("Serving \(count.counted("feed")) on \(address). Ctrl-C ends it.")
        Console.current.note("'tripstore feed list' prints the addresses.")
        if !ServedHosts.isLoopback(host) {
            Console.current.note("It is not encrypted: others on the network can read addresses and calendars.")
        }
    }
}

extension FeedServeCommand: WebCommand {}
