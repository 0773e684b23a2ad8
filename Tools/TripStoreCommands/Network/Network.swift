package import EventLog
package import Events
package import LogExchange

/// A network, as commands need it.
///
/// The program `tripstore-hub` supplies one. `tripstore` is built without, so that it builds in a third of the time, and hands command
/// lines that need it over to that program: see `OtherProgram`.
package protocol Network: Sendable {
    /// A way to the hub at an address, which is known by its pin; nil for the system's roots. Throws `ExchangeError.wrongAddress`.
    func connector(to address: String, pin: Digest?) throws -> any FrameConnector

    /// A way to the hub that an invitation names, with its journal and pin; nil if it names none.
    func connector(for code: InvitationCode) -> (any FrameConnector)?

    /// The pin of whatever server is at an address, for a person to compare. Throws `ExchangeError`.
    func pin(of address: String) async throws -> Digest

    /// An address as invitations name it; nil if its host is too long. Throws `ExchangeError.wrongAddress`.
    func location(of address: String, pin: Digest?) throws -> ServerLocation?

    /// Serves until the command is interrupted.
    func serve(_ command: ServeCommand) async throws
}

/// A command that may need a network.
protocol NetworkCommand {
    /// Whether it does, with the arguments that it has.
    var needsNetwork: Bool { get }
    /// Whether it does a part of its work without a network, where there is none.
    var canDoWithout: Bool { get }
}

extension NetworkCommand {
    var canDoWithout: Bool { false }
}

/// The network of the running command.
enum CurrentNetwork {
    @TaskLocal static var value: (any Network)?

    /// Throws `CommandError` where there is none. Commands that call this return true from `needsNetwork`, and are handed over before.
    static func get() throws -> any Network {
        guard let value else { throw OtherProgram.network.isMissing(beside: "this program") }
        return value
    }
}
