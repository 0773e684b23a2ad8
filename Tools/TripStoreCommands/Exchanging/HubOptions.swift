import ArgumentParser
import Foundation
import LogExchange
import Platform
import TripFormats
import TripStore

#if Hub
    import HubCarrier
#endif

/// How a command trusts a hub.
struct HubOptions: ParsableArguments {
    @Option(
        name: .long,
        help:
            "Trust the hub that has a key with this hash, as its operator names it. It is remembered for the hub's address."
    )
    var pin: DigestArgument?

    @Flag(name: .long, help: "Trust the hub whatever key it shows this first time, and print the key's hash.")
    var trust = false

    func validate() throws {
        if pin != nil && trust { throw ValidationError("--pin or --trust: one of them.") }
    }
}

/// A SHA-256 on the command line.
struct DigestArgument: ExpressibleByArgument {
    let digest: Digest

    init?(argument: String) {
        guard let digest = Digest(argument) else { return nil }
        self.digest = digest
    }
}

/// The other side of an exchange on the command line: a folder, a bundle file, or a hub's address.
enum PeerArgument {
    case file(URL)
    case hub(String)

    init(_ text: String) {
        self = text.contains("://") ? .hub(text) : .file(URL(argument: text))
    }

    var isHub: Bool { if case .hub = self { true } else { false } }
}

#if Hub
    /// A hub that a command reaches.
    struct ReachedHub {
        let connector: HubConnector
        /// What is to be remembered for the hub's address; nil if there is nothing new.
        let newPin: Digest?

        /// By the options, what a store remembers, or the system's roots; `trust` asks the hub for its pin. Throws
        /// `ExchangeError`.
        init(_ text: String, _ options: HubOptions, _ store: TripStore?) async throws {
            let address = try HubAddress(text)
            let known = try store?.pin(ofHub: address.server.description)
            if let pin = options.pin?.digest {
                connector = HubConnector(address, trust: .pinned(pin))
                newPin = pin == known ? nil : pin
            } else if let known {
                connector = HubConnector(address, trust: .pinned(known))
                newPin = nil
            } else if options.trust {
                let pin = try await HubConnector.pin(of: address)
                Console.current.note(
                    "Trusting the hub at \(address.server) by its key, whose hash is \(pin). Compare it with what the operator names."
                )
                connector = HubConnector(address, trust: .pinned(pin))
                newPin = pin
            } else {
                connector = HubConnector(address)
                newPin = nil
            }
        }

        /// Remembers what was found to be right.
        func remember(in store: TripStore) async throws {
            if let newPin { try await store.remember(newPin, ofHub: connector.address) }
        }

        /// Words for an error of trust: what a person can do about it with this tool.
        static func advised(_ error: any Error) -> any Error {
            guard ErrorReport(error).code == ExchangeError.Code.notTrusted.rawValue else { return error }
            return CommandError(
                "\(error.systemText) On the command line: --pin HASH, once.",
                code: ExchangeError.Code.notTrusted.rawValue)
        }
    }
#else
    /// Without the trait `Hub` there is no network.
    enum NoNetwork {
        static let error = CommandError(
            "This tripstore was built without a network. 'Tools/install' builds one that has it, as does 'swift build --traits Hub'.",
            code: "noNetwork")
    }
#endif

extension PeerArgument {
    /// Runs `body` with the other side. What a hub is trusted by is remembered in the store once it succeeded.
    func reached<T>(
        from store: TripStore, _ options: HubOptions, _ body: (ExchangeTarget) async throws -> T
    ) async throws -> T {
        switch self {
        case .file(let url): return try await body(.path(url))
        case .hub(let address):
            #if Hub
                do {
                    let hub = try await ReachedHub(address, options, store)
                    let result = try await body(.connector(hub.connector))
                    try await hub.remember(in: store)
                    return result
                } catch {
                    throw ReachedHub.advised(error)
                }
            #else
                throw NoNetwork.error
            #endif
        }
    }
}
