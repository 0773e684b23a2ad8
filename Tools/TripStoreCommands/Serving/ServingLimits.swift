package import ArgumentParser
package import LogExchange

/// How much a server lets its clients use of the machine, on the command line.
package struct ServingLimits: ParsableArguments {
    package init() {}

    @Option(name: .long, help: "The most connections at a time.")
    package var connections = 4096

    @Option(name: .long, help: "The most streams of a connection at a time. Default: 16.")
    package var streams: Int?

    @Option(
        name: .long,
        help: "The most sessions at a time. Default: one for each 256 KiB of --memory, at most as many as connections.")
    package var sessions: Int?

    @Option(
        name: .long,
        help:
            "The bytes that clients may make the server hold: messages that are received, stored or answered."
    )
    package var memory = ByteCount(512 << 20)

    @Option(
        name: .long,
        help:
            "The most bytes of a message. Default: 34 MB. With less, members that wrote larger commits cannot exchange."
    )
    package var largestMessage: ByteCount?

    @Option(
        name: .long,
        help: "The bytes that a client may send ahead on each stream, which wait in memory besides. Default: 64KiB.")
    package var window: ByteCount?

    @Option(name: .long, help: "The seconds that sessions have for ending when the server shuts down.")
    package var grace = 10

    package func validate() throws {
        let numbers = [
            ("--connections", connections), ("--streams", streams ?? 1), ("--sessions", sessions ?? 1),
        ]
        for (option, number) in numbers where number < 1 { throw ValidationError("\(option) \(number): 1 or more.") }
        let mebibyte = 1 << 20
        guard memory.bytes >= mebibyte else { throw ValidationError("--memory \(memory.bytes): \(mebibyte) or more.") }
        if let window = window?.bytes, !(65_535...(1 << 30)).contains(window) {
            throw ValidationError("--window \(window): from 65535 to \(1 << 30).")
        }
        if let largestMessage = largestMessage?.bytes, !(mebibyte...SessionFrame.largest).contains(largestMessage) {
            throw ValidationError("--largest-message \(largestMessage): from \(mebibyte) to \(SessionFrame.largest).")
        }
        guard (0...3600).contains(grace) else { throw ValidationError("--grace \(grace): from 0 to 3600.") }
    }

    /// A session takes about that much beside what `--memory` counts.
    package static let bytesOfSession = 256 << 10

    package var sessionLimits: SessionLimits {
        SessionLimits(sessions: sessions ?? min(connections, max(16, memory.bytes / Self.bytesOfSession)))
    }
}

/// A number of bytes on the command line: 67108864, 64MiB, 512KiB, 1GiB, or with KB, MB and GB thousands.
package struct ByteCount: ExpressibleByArgument {
    package let bytes: Int

    package init(_ bytes: Int) { self.bytes = bytes }

    package init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        let units = [
            "": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000,
        ]
        guard let count = Int(digits), let unit = units[String(argument.dropFirst(digits.count))] else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        self.bytes = bytes
    }

    package var defaultValueDescription: String { bytes % (1 << 20) == 0 ? "\(bytes >> 20)MiB" : "\(bytes)" }
}
