import ArgumentParser
import Foundation
import LogExchange
import Platform
import TripFormats
import TripStore

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

/// A hub that a command reaches.
struct ReachedHub {
    let connector: any FrameConnector
    /// What is to be remembered for the hub's address; nil if there is nothing new.
    let newPin: Digest?

    /// By the options, what a store remembers, or the system's roots; `trust` asks the hub for its pin. Throws
    /// `ExchangeError`.
    init(_ text: String, _ options: HubOptions, _ store: TripStore?) async throws {
        let network = try CurrentNetwork.get()
        let plain = try network.connector(to: text, pin: nil)
        let known = try store?.pin(ofServer: plain.address)
        if let pin = options.pin?.digest {
            connector = try network.connector(to: text, pin: pin)
            newPin = pin == known ? nil : pin
        } else if let known {
            connector = try network.connector(to: text, pin: known)
            newPin = nil
        } else if options.trust {
            let pin = try await network.pin(of: text)
            Console.current.note(
                "Trusting the hub at \(plain.address) by its key, whose hash is \(pin). Compare it with what the operator names."
            )
            connector = try network.connector(to: text, pin: pin)
            newPin = pin
        } else {
            connector = plain
            newPin = nil
        }
    }

    /// Remembers what was found to be right.
    func remember(in store: TripStore) async throws {
        if let newPin { try await store.remember(newPin, ofServer: connector.address) }
    }

    /// Words for an error of trust: what a person can do about it with this tool.
    static func advised(_ error: any Error) -> any Error {
        guard ErrorReport(error).code == ExchangeError.Code.notTrusted.rawValue else { return error }
        return CommandError(
            "\(error.systemText) On the command line: --pin HASH, once.",
            code: ExchangeError.Code.notTrusted.rawValue)
    }
}

extension PeerArgument {
    /// Runs `body` with the other side. What a hub is trusted by is remembered in the store once it succeeded, or found something that could
    /// not be exchanged.
    func reached<T>(
        from store: TripStore, _ options: HubOptions, _ body: (ExchangeTarget) async throws -> T
    ) async throws -> T {
        switch self {
        case .file(let url): return try await body(.path(url))
        case .hub(let address):
            do {
                let hub = try await ReachedHub(address, options, store)
                let result: T
                do {
                    result = try await body(.connector(hub.connector))
                } catch let code as ExitCode where code == .found {
                    try await hub.remember(in: store)
                    throw code
                }
                try await hub.remember(in: store)
                return result
            } catch {
                throw ReachedHub.advised(error)
            }
        }
    }
}
