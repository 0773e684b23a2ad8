import ArgumentParser
import Foundation
import LogExchange
import Platform
import TripStore

struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Ask to become a member, with an invitation.",
        discussion: """
            The store must hold nothing yet, or be of the invitation's journal; where there is none it is made. It takes an exchange \
            with a member's store, or a bundle there and one back, until an admin's replica has granted it. What is written before counts \
            here alone, and everywhere after.

            A code that names a hub is brought there at once, and what the hub has is taken from it. Once an admin's device has met the \
            hub, 'tripstore sync' with it brings the grant.

            The code is asked for on a terminal, and read from standard input elsewhere, or from a file: as an argument other users of this \
            machine could read it, and the shell remembers it.

            Examples:
              tripstore join --store ~/trips --name phone
              tripstore join --code-file invitation.txt --store ~/trips
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The code of the invitation, where nobody else can see it; - reads it from standard input.")
    var code: String?

    @Option(name: .long, help: "Read the code from a file.", completion: .file())
    var codeFile: String?

    @Option(name: .long, help: "The device's name, of a store that is made.")
    var name = ""

    func run() async throws {
        // Here, so that its fault is reported.
        let code = try InvitationCode(try CodeInput.read(code, file: codeFile))
        let folder = try options.folder
        if !TripStore.exists(at: folder) {
            let store = try await options.create(journal: code.journal, name: name)
            await store.close()
        }
        let (replica, standing, hub) = try await withStore(options) { store in
            try await store.join(code)
            let hub = try await exchange(store, code)
            return (store.replica, try store.standing(), hub)
        }
        let isMember = if case .member = standing { true } else { false }
        if options.json {
            let members: [(String, JSON)] = [
                ("replica", .string("\(replica)")), ("journal", .string("\(code.journal)")),
                ("standing", .string(isMember ? "member" : "waiting")), ("hub", .optional(hub)),
            ]
            return Console.current.out(JSON.object(members).text)
        }
        if isMember { return Console.current.out("Replica \(replica) is a member") }
        Console.current.out(
            (hub.map {
                "Replica \(replica) asks to become a member, and the hub knows it: once an admin's device has met the hub, "
                    + "'tripstore sync \($0)' brings the answer"
            }
                ?? "Replica \(replica) asks to become a member: 'tripstore sync OTHER' brings that to a member's store, "
                + "and an admin's answers").onThisStore)
    }

    /// Brings the request to the hub that the code names. Returns its address; nil if the code names none.
    private func exchange(_ store: TripStore, _ code: InvitationCode) async throws -> String? {
        guard let hub = code.server else { return nil }
        guard let network = CurrentNetwork.value else {
            Console.current.warn(
                "The code names the hub at \(hub.host), port \(hub.port), and there is no network here: \(OtherProgram.network.name) reaches it, "
                    + "and 'Tools/install' installs it.")
            return nil
        }
        guard let connector = network.connector(for: code) else { return nil }
        if let pin = hub.pin { try await store.remember(pin, ofServer: connector.address) }
        do {
            _ = try await ExchangeText.exchanging(
                standing: "The request is written: 'tripstore sync \(connector.address)' brings it to the hub."
            ) { try await store.exchange(with: .connector(connector), progress: $0) }
        } catch let error where ErrorReport(error).code == ExchangeError.Code.needsGrant.rawValue {
            // The hub has the request.
        } catch {
            throw CommandError(
                "The request is written, and could not be brought to the hub: \(error.systemText) If the hub does not know the invitation "
                    + "yet, its maker's device syncs with \(connector.address). Then 'tripstore sync \(connector.address)' "
                    + "tries again here.")
        }
        return connector.address
    }
}

extension JoinCommand: NetworkCommand {
    /// A code that is read later may name a hub.
    var needsNetwork: Bool {
        guard codeFile == nil, let code, code != "-" else { return true }
        return (try? InvitationCode(code))?.server != nil
    }
    /// The request is written, and a bundle or another exchange brings it.
    var canDoWithout: Bool { true }
}
