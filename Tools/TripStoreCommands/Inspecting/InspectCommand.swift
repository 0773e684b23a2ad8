import ArgumentParser
import Foundation
import Synchronization
import TripStore

struct InspectCommand: AsyncParsableCommand, WebCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show in a browser what happened, and who did it.",
        discussion: """
            A page on this machine alone shows trips, the history behind every value, conflicts, devices, and whether anything was \
            altered; with --write it puts things right. It ends with Ctrl-C, or after an hour in which nothing was asked of it.

            The address that is printed opens once; what the page asks, scripts can ask as well: see the page "Inspecting" of the \
            documentation.

            Examples:
              tripstore inspect
              tripstore inspect --write --port 8080 --no-open
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Flag(name: .long, help: "Also undo, redo, resolve and restore.")
    var write = false

    @Option(name: .long, help: "The port. Default: a free one.")
    var port: UInt16 = 0

    @Flag(name: .customLong("no-open"), help: "Print the address, and open no browser.")
    var noOpen = false

    private static let rest = Duration.seconds(3600)

    func run() async throws {
        let server = try CurrentWebServer.get()
        let folder = try options.folder.path
        let store = try await write ? options.openForWriting() : options.openForReading()
        // The port is part of what it checks, and known once the server listens.
        let inspector = Mutex<Inspector?>(nil)
        let browser = BrowserStart()
        defer { browser.end() }
        let environment = Console.current.environment
        do {
            try await server.serve(
                host: "127.0.0.1", port: Int(port), idle: Self.rest,
                listening: { port in
                    let door = InspectorDoor(port: port)
                    inspector.withLock {
                        $0 = Inspector(
                            store, folder: folder, mayWrite: write, author: author.given, environment: environment,
                            door: door)
                    }
                    show(port, door.address, browser)
                },
                { await inspector.withLock(\.self)?.answer($0) ?? WebAnswer(status: 503) })
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private func show(_ port: Int, _ address: String, _ browser: BrowserStart) {
        if options.json {
            Console.current.out(JSON.object([("address", .string(address)), ("port", .integer(port))]).text)
        } else {
            Console.current.out("The store is shown at \(address)")
            Console.current.note("Ctrl-C ends it.")
        }
        if !noOpen { browser.open(address, in: Console.current.environment) }
    }
}
