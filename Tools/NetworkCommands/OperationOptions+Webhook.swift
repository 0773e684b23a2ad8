#if Hub
    import ArgumentParser
    import Foundation
    import HubCarrier
    import Logging
    import Platform
    import TripStoreCommands

    extension OperationOptions {
        /// Throws `ValidationError` if what is given as the webhook's address is none.
        func checkWebhook() throws { _ = try webhookOptions() }

        /// Nil without an address. Throws `CommandError` if a file cannot be used.
        func webhookService() throws -> Webhook? {
            guard var options = try webhookOptions() else { return nil }
            do {
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

        private func webhookOptions() throws -> WebhookOptions? {
            do { return try webhook.map { try WebhookOptions($0) } } catch {
                throw ValidationError("--webhook: \(error)")
            }
        }

        private static func contents(_ path: String) throws -> Data {
            let file = URL(argument: path)
            do { return try Data(contentsOf: file) } catch {
                throw CommandError("The file \(file.path) cannot be read: \(error.systemText)")
            }
        }
    }
#endif
