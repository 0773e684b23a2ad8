package import ArgumentParser
package import Logging

/// How those who operate a server watch it, on the command line.
package struct OperationOptions: ParsableArguments {
    package init() {}

    @Option(
        name: .long,
        help: """
            The address, HOST:PORT, at which /metrics (for Prometheus), /healthz and /readyz are served over HTTP, unencrypted: for an \
            operator's own network.
            """)
    package var metrics: ListenArgument?

    @Option(name: .long, help: "What is logged on standard error: error, warning, notice, info or debug.")
    package var log: LogLevelArgument = LogLevelArgument(level: .notice)

    @Option(name: .long, help: "How it is logged: text, or json for one object a line.")
    package var logFormat = LogFormat.text

    @Option(name: .long, help: "The seconds for which it says that it ends before it takes no connections any more.")
    package var notice = 0

    @Option(
        name: .long, help: "The free bytes of the disk below which it says that it does not serve. Default: 64 MiB.")
    package var leastFree: Int = 64 << 20

    @Option(
        name: .long,
        help:
            "An https address to which the ids of journals with something new are posted, as JSON, for a push service.")
    package var webhook: String?

    @Option(name: .long, help: "A file with a secret of 16 bytes or more, by which posts are signed (HMAC-SHA256).")
    package var webhookSecret: String?

    @Option(name: .long, help: "A file of roots in PEM that are trusted for the webhook beside the system's.")
    package var webhookAuthorities: String?

    package enum LogFormat: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    package func validate() throws {
        guard (0...3600).contains(notice) else { throw ValidationError("--notice \(notice): from 0 to 3600.") }
        guard leastFree >= 0 else { throw ValidationError("--least-free \(leastFree): 0 or more.") }
        if webhook == nil, webhookSecret != nil || webhookAuthorities != nil {
            throw ValidationError("--webhook-secret and --webhook-authorities: only with --webhook.")
        }
    }

    package func logger(_ label: String) -> Logger {
        var logger = Logger(label: label) { label in
            switch logFormat {
            case .text: StreamLogHandler.standardError(label: label)
            case .json: JSONLogHandler(label: label)
            }
        }
        logger.logLevel = log.level
        return logger
    }
}
