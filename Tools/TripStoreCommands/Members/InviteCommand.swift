import ArgumentParser
import Foundation
import LogExchange
import Platform
import TripStore

struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Make an invitation, or take one back. For admins.",
        discussion: """
            The code that it prints is all that somebody needs to become a member with 'tripstore join': give it to nobody else. It \
            has capital letters and digits alone, and may be shown as a QR code. Who redeems it is a member once this replica, or \
            another admin's, hears of it.

            With --hub the code names a hub as well, and by which key it is known. The hub is met before the code is printed, so that it \
            admits who comes with it: then 'tripstore join' is all.

            Examples:
              tripstore invite --until 2027-05-01 --uses 2
              tripstore invite --hub https://hub.example:4433 --code-file invitation.txt
            """)

    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "The role that it gives.")
    var role: MemberRole = .write

    @Option(
        name: .long,
        help: "Until when it holds: ISO 8601 with an offset, or a day as '3 may' or '+2d', which is all of it in UTC.",
        transform: { try InstantArgument(parsing: $0, isPast: false) })
    var until: InstantArgument?

    @Option(name: .long, help: "How many replicas may use it.")
    var uses = 1

    @Option(
        name: .long,
        help:
            "Take the invitation with this key back, as 'members' lists it, or the one of a code: - reads that from standard input."
    )
    var withdraw: String?

    @Option(
        name: .long, help: "Write the code to a new file that you alone can read, and not to the terminal.",
        completion: .file())
    var codeFile: String?

    @Option(name: .customLong("hub"), help: "The address of a hub that the code shall name.")
    var address: String?

    @OptionGroup var hub: HubOptions

    func validate() throws {
        guard uses >= 1 else {
            throw ArgumentParser.ValidationError("--uses \(uses): an invitation is used once or more.")
        }
    }

    func run() async throws {
        if let withdraw { return try await self.withdraw(withdraw) }
        let file = try codeFile.map { try CodeInput.newFile($0) }
        let code = try await withStore(options) { store in
            // First: an address that is none must leave no invitation behind.
            let hub = try await hub(store)
            let code = try await store.invite(role, until: until?.last, uses: uses).naming(hub?.location)
            if let hub { await meet(hub.connector, store) }
            return code
        }
        try file?.write("\(code)\n")
        let key = code.key.digits
        if options.json {
            var members: [(String, JSON)] = [("key", .string(key)), ("role", .string("\(role)"))]
            members.insert(codeFile.map { ("file", .string($0)) } ?? ("code", .string("\(code)")), at: 0)
            return Console.current.out(JSON.object(members).text)
        }
        Console.current.out(codeFile.map { "Wrote the code to \($0)".visible } ?? "\(code)")
    }

    /// Brings the invitation to the hub, which admits nobody with it before.
    private func meet(_ hub: any FrameConnector, _ store: TripStore) async {
        do {
            _ = try await ExchangeText.exchanging(
                standing: "The invitation is written: 'tripstore sync \(hub.address)' brings it to the hub."
            ) { try await store.exchange(with: .connector(hub), progress: $0) }
        } catch {
            Console.current.warn(
                "The hub was not reached, and admits nobody with the code before it knows of it: \(error.systemText) "
                    + "'tripstore sync \(hub.address)' tries again.")
        }
    }

    /// Where the hub is, and by what it is known here.
    private func hub(_ store: TripStore) async throws -> (location: ServerLocation, connector: any FrameConnector)? {
        guard let address else { return nil }
        do {
            let reached = try await ReachedHub(address, hub, store)
            try await reached.remember(in: store)
            let pin = try store.pin(ofServer: reached.connector.address)
            guard let location = try CurrentNetwork.get().location(of: address, pin: pin) else {
                throw CommandError("The host of '\(address)' is too long for a code.")
            }
            return (location, reached.connector)
        } catch {
            throw ReachedHub.advised(error)
        }
    }

    private func withdraw(_ argument: String) async throws {
        let text = argument == "-" ? try CodeInput.read(argument, file: nil) : argument
        let code = try? InvitationCode(text)
        if code != nil, argument != "-" { CodeInput.warn() }
        let key = try await withStore(options) { store in
            let key = try code?.key ?? Self.key(text, in: store)
            try await store.withdraw(key)
            return key
        }
        Console.current.out(
            options.json ? JSON.object([("withdrawn", .string(key.digits))]).text : "Took the invitation back")
    }

    /// The key of all or of the first of its digits.
    private static func key(_ digits: String, in store: TripStore) throws -> [UInt8] {
        if let bytes = [UInt8](hexadecimalDigits: digits), bytes.count == 32 { return bytes }
        let keys = try store.invitations().map(\.invitation.key)
        let found = digits.count < 8 ? [] : keys.filter { $0.digits.hasPrefix(digits.lowercased()) }
        guard let key = found.first, found.count == 1 else {
            throw CommandError(
                "'\(digits)' is neither the code of an invitation nor, with 8 digits or more, the beginning of one key that 'tripstore members' "
                    + "lists.")
        }
        return key
    }
}

extension [UInt8] {
    /// From hexadecimal digits; nil for anything else.
    fileprivate init?(hexadecimalDigits text: String) {
        let digits = [Character](text)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(digits[place...place + 1]), radix: 16) else { return nil }
            bytes.append(byte)
        }
        self = bytes
    }
}

extension InviteCommand: NetworkCommand {
    var needsNetwork: Bool { address != nil && withdraw == nil }
}
