public import ArgumentParser
import EventLog
import Foundation
import LogExchange
import Platform
import TripStore

/// The `tripstore` command.
public struct TripStoreCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "tripstore",
        abstract: "An event-sourced store of trips: import, edit, sync, replay, audit.",
        discussion:
            """
            The store is the folder given by --store, after the command, by the environment variable TRIPSTORE, or by 'tripstore config \
            store DIR'; 'tripstore init' makes one. The exit code is 0, 1 if something was found, differs or was skipped, 2 if the command failed, and 64 if the \
            arguments are no command line.
            """,
        version: """
            tripstore 0.1
            writes commits of format \(CommitHeader.currentFormat) with schema \(TripStore.schema), bundles of format \
            \(BundleHeader.currentVersion), and exchanges by version \(Greeting.currentVersion)
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Look at trips",
                subcommands: [
                    TripsCommand.self, ShowCommand.self, AgendaCommand.self, ListCommand.self, FindCommand.self,
                    TotalsCommand.self,
                ]),
            CommandGroup(
                name: "Plan",
                subcommands: [
                    AddCommand.self, EditCommand.self, DeleteCommand.self, RestoreCommand.self, MoveCommand.self,
                    CopyCommand.self, ShiftCommand.self, TemplatesCommand.self, UndoCommand.self, RedoCommand.self,
                ]),
            CommandGroup(
                name: "Files",
                subcommands: [
                    ImportCommand.self, ExportCommand.self, AttachCommand.self, AttachmentsCommand.self,
                    SaveCommand.self, DiscardCommand.self,
                ]),
            CommandGroup(
                name: "Exchange",
                subcommands: [
                    SyncCommand.self, CloneCommand.self, BundleCommand.self, PeersCommand.self, ConflictsCommand.self,
                    ResolveCommand.self, ServeCommand.self, HubCommand.self, FeedCommand.self,
                ]),
            CommandGroup(
                name: "Members",
                subcommands: [
                    MembersCommand.self, InviteCommand.self, JoinCommand.self, GrantCommand.self, RevokeCommand.self,
                    VoidCommand.self,
                ]),
            CommandGroup(
                name: "History",
                subcommands: [
                    InspectCommand.self, AuditCommand.self, TailCommand.self, SubscriptionsCommand.self,
                    EraseCommand.self,
                    ErasuresCommand.self,
                ]),
            CommandGroup(
                name: "The store",
                subcommands: [
                    InitCommand.self, StatusCommand.self, DoctorCommand.self, ConfigCommand.self, BackupCommand.self,
                    ReplayCommand.self, DumpCommand.self, LoadCommand.self,
                ]),
        ])

    public init() {}

    /// Runs the command line of this process. Arguments that are not UTF-8 are refused: they could not be told apart.
    public static func runProcess() async -> Int32 { await runProcess(nil) }

    /// Runs it with a network and a web server; without one, what needs it is left to a program beside this one.
    package static func runProcess(_ network: (any Network)?, web: (any WebServer)? = nil) async -> Int32 {
        // First, so that no opened file gets the number of a closed standard descriptor.
        StandardDescriptors.occupy()
        if let fault = ProcessText.fault() {
            Console.standard.error("Error: \(fault)")
            return exitCode(for: ArgumentParser.ValidationError(fault)).rawValue
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        return await run(arguments, network: network, web: web) { $0.takeOver(arguments) }
    }

    /// Runs a command line and returns the exit code: 0; 1 if something was found, differs or was skipped; 2 if the command failed; 64 if
    /// it was no command line.
    public static func run(_ arguments: [String], console: Console = .standard) async -> Int32 {
        await run(arguments, console: console, network: nil)
    }

    /// Runs a command line with a network and a web server. Without one, `handingOver` is called for a command that needs it, with the program
    /// that has it.
    package static func run(
        _ arguments: [String], console: Console = .standard, network: (any Network)?, web: (any WebServer)? = nil,
        handingOver: (OtherProgram) -> CommandError = { $0.isMissing(beside: "this program") }
    ) async -> Int32 {
        var arguments = DateArguments.joined(arguments)
        let page = HelpPage.page(of: &arguments, in: console.layout.columns)
        let own = console.forCommand(arguments)
        return await Console.$current.withValue(own) { [arguments] in
            await CurrentNetwork.$value.withValue(network) {
                await CurrentWebServer.$value.withValue(web) {
                    // Help and completion scripts are the tool's own text: nothing in them is to be escaped.
                    let code = await outcome(arguments, own, page, help: console.out, handingOver)
                    own.endWarnings()
                    return code
                }
            }
        }
    }

    private static func outcome(
        _ arguments: [String], _ console: Console, _ page: HelpPage, help: (String) -> Void,
        _ handingOver: (OtherProgram) -> CommandError
    ) async -> Int32 {
        if let fault = CommandNames.fault(in: arguments) {
            console.report(ErrorReport(usage: fault), "Error: \(fault)")
            return ExitCode.validationFailure.rawValue
        }
        do {
            var command = try await parsed(arguments)
            if CurrentNetwork.value == nil, let command = command as? any NetworkCommand, command.needsNetwork {
                let failure = handingOver(.network)
                guard command.canDoWithout else { throw failure }
            }
            if CurrentWebServer.value == nil, command is any WebCommand { throw handingOver(.web) }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            guard let failure = console.failure() else { return 0 }
            throw CommandError(
                "Not all of the output could be written: \(failure). What the command did to a store or a file stands.",
                code: "output")
        } catch let code as ExitCode {
            return code.rawValue
        } catch let error as ArgumentParser.ValidationError {
            // Of a command that ran: the parser does not know whose usage to print.
            console.report(ErrorReport(usage: error.message), "Error: \(error.message)")
            return ExitCode.validationFailure.rawValue
        } catch {
            return report(error, of: arguments, console, page, help)
        }
    }

    /// Parses with the options that are typed, and with all where that fails: then these are listed, or the nearest is named.
    private static func parsed(_ arguments: [String]) async throws -> any ParsableCommand {
        let names = TypedOptions.names(in: arguments)
        do { return try await TypedOptions.$names.withValue(names) { try await asyncParseAsRoot(arguments) } } catch {
            return try await asyncParseAsRoot(arguments)
        }
    }

    private static func report(
        _ error: any Error, of arguments: [String], _ console: Console, _ page: HelpPage, _ help: (String) -> Void
    ) -> Int32 {
        let code = exitCode(for: error)
        // The argument parser prints its own messages best: usage errors, help, completion scripts.
        if code.isSuccess {
            help(page.text { fullMessage(for: error, columns: $0) })
            return code.rawValue
        }
        if code == .validationFailure {
            // An option that there is not explains what else is wrong.
            if let fault = UnknownOptions.fault(in: arguments) {
                console.report(ErrorReport(usage: fault), "Error: \(fault)")
            } else {
                console.report(ErrorReport(usage: message(for: error)), page.fitted(fullMessage(for: error)))
            }
            return code.rawValue
        }
        let text = (error as? QueryTextError).map { "\($0.message)\n\($0.excerpt(columns: \.columns))" }
        console.report(ErrorReport(error), "Error: \(text ?? ErrorReport.text(of: error))")
        return ExitCode.failed.rawValue
    }
}

extension ExitCode {
    /// Something was found, differs, or was skipped, as `grep` and `diff` say it.
    static let found = ExitCode(1)
    /// The command failed.
    static let failed = ExitCode(2)
}
