import ArgumentParser
import Foundation
import LogExchange
import Logging

#if Hub
    import HubCarrier
#endif

/// How those who operate a server watch it, on the command line.
struct OperationOptions: ParsableArguments {
    @Option(
        name: .long,
        help: """
            The address, HOST:PORT, at which /metrics (for Prometheus), /healthz and /readyz are served over HTTP, unencrypted: for an \
            operator's own network.
            """)
    var metrics: ListenArgument?

    @Option(name: .long, help: "What is logged on standard error: error, warning, notice, info or debug.")
    var log: LogLevelArgument = LogLevelArgument(level: .notice)

    @Option(name: .long, help: "How it is logged: text, or json for one object a line.")
    var logFormat = LogFormat.text

    @Option(name: .long, help: "The seconds for which it says that it ends before it takes no connections any more.")
    var notice = 0

    @Option(
        name: .long, help: "The free bytes of the disk below which it says that it does not serve. Default: 64 MiB.")
    var leastFree: Int = 64 << 20

    @Option(
        name: .long,
        help:
            "An https address to which the ids of journals with something new are posted, as JSON, for a push service.")
    var webhook: String?

    @Option(name: .long, help: "A file with a secret of 16 bytes or more, by which posts are signed (HMAC-SHA256).")
    var webhookSecret: String?

    @Option(name: .long, help: "A file of roots in PEM that are trusted for the webhook beside the system's.")
    var webhookAuthorities: String?

    enum LogFormat: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    func validate() throws {
        guard (0...3600).contains(notice) else { throw ValidationError("--notice \(notice): from 0 to 3600.") }
        guard leastFree >= 0 else { throw ValidationError("--least-free \(leastFree): 0 or more.") }
        if webhook == nil, webhookSecret != nil || webhookAuthorities != nil {
            throw ValidationError("--webhook-secret and --webhook-authorities: only with --webhook.")
        }
        #if Hub
            if let webhook {
                do { _ = try WebhookOptions(webhook) } catch { throw ValidationError("--webhook: \(error)") }
            }
        #endif
    }

    func logger(_ label: String) -> Logger {
        var logger = Logger(label: label) { label in
            switch logFormat {
            case .text: StreamLogHandler.standardError(label: label)
            case .json: JSONLogHandler(label: label)
            }
        }
        logger.logLevel = log.level
        return logger
    }

    #if Hub
        /// Nil without an address. Throws `CommandError` if a file cannot be used.
        func webhookService() throws -> Webhook? {
            guard let webhook else { return nil }
            do {
                var options = try WebhookOptions(webhook)
                if let webhookSecret {
                    options.secret = try WebhookOptions.secret(in: Self.contents(webhookSecret), named: webhookSecret)
                }
                if let webhookAuthorities {
                    options.authorities = String(decoding: try Self.contents(webhookAuthorities), as: UTF8.self)
                }
                return try Webhook(options, log: logger("tripstore.webhook"))
            } catch let error as WebhookOptions.Unusable {
                throw CommandError(error.description)
            }
        }

        private static func contents(_ path: String) throws -> Data {
            let file = URL(argument: path)
            do { return try Data(contentsOf: file) } catch {
                throw CommandError("The file \(file.path) cannot be read: \(error.localizedDescription)")
            }
        }
    #endif
}
