package import ArgumentParser
package import LogExchange

/// How much a server lets its clients use of the machine, on the command line.
package struct ServingLimits: ParsableArguments {
    package init() {}

    @Option(name: .long, help: "The most connections at a time.")
    package var connections = 4096

    @Option(name: .long, help: "The most streams of a connection at a time. Default: 16.")
    package var streams: Int?

    @Option(name: .long, help: "The most sessions at a time. Default: as many as connections.")
    package var sessions: Int?

    @Option(
        name: .long,
        help:
            "The bytes of all clients' messages that may wait to be stored; reads pause beyond that. Default: 512 MiB.")
    package var memory = 512 << 20

    @Option(
        name: .long,
        help:
            "The most bytes of a message. Default: 34 MB. With less, members that wrote larger commits cannot exchange."
    )
    package var largestMessage: Int?

    @Option(
        name: .long,
        help: "The bytes that a client may send ahead on each stream, which wait in memory besides. Default: 1 MiB.")
    package var window: Int?

    @Option(name: .long, help: "The seconds that sessions have for ending when the server shuts down.")
    package var grace = 10

    package func validate() throws {
        let numbers = [
            ("--connections", connections), ("--streams", streams ?? 1), ("--sessions", sessions ?? 1),
        ]
        for (option, number) in numbers where number < 1 { throw ValidationError("\(option) \(number): 1 or more.") }
        let mebibyte = 1 << 20
        guard memory >= mebibyte else { throw ValidationError("--memory \(memory): \(mebibyte) or more.") }
        if let window, !(65_535...(1 << 30)).contains(window) {
            throw ValidationError("--window \(window): from 65535 to \(1 << 30).")
        }
        if let largestMessage, !(mebibyte...SessionFrame.largest).contains(largestMessage) {
            throw ValidationError("--largest-message \(largestMessage): from \(mebibyte) to \(SessionFrame.largest).")
        }
        guard (0...3600).contains(grace) else { throw ValidationError("--grace \(grace): from 0 to 3600.") }
    }

    package var sessionLimits: SessionLimits { SessionLimits(sessions: sessions ?? connections) }
}
