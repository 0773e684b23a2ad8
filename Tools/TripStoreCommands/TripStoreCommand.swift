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
            store DIR'. The exit code is 0, 1 if something was found, differs or was skipped, 2 if the command failed, and 64 if the \
            arguments are no command line.
            """,
        version: """
            tripstore 0.1
            writes commits of format \(CommitHeader.currentFormat) with schema \(TripStore.schema), bundles of format \
            \(BundleHeader.currentVersion), and exchanges by version \(Greeting.currentVersion)
            """,
        subcommands: [
            InitCommand.self, StatusCommand.self, DoctorCommand.self, ImportCommand.self, ExportCommand.self,
            TripsCommand.self, ListCommand.self,
            ShowCommand.self, FindCommand.self, AgendaCommand.self, TotalsCommand.self, TemplatesCommand.self,
            AddCommand.self, EditCommand.self, DeleteCommand.self, RestoreCommand.self, MoveCommand.self,
            EraseCommand.self, ErasuresCommand.self,
            AttachCommand.self, AttachmentsCommand.self, SaveCommand.self, DiscardCommand.self,
            CopyCommand.self, ShiftCommand.self,
            UndoCommand.self, RedoCommand.self, ConflictsCommand.self, ResolveCommand.self, ReplayCommand.self,
            AuditCommand.self,
            TailCommand.self, SyncCommand.self, CloneCommand.self, BundleCommand.self, DumpCommand.self,
            LoadCommand.self,
            PeersCommand.self,
            ServeCommand.self, HubCommand.self,
            BackupCommand.self, MembersCommand.self, GrantCommand.self, RevokeCommand.self, InviteCommand.self,
            JoinCommand.self, VoidCommand.self, SubscriptionsCommand.self, ConfigCommand.self,
        ])

    public init() {}

    /// Runs the command line of this process. Arguments that are not UTF-8 are refused: they could not be told apart.
    public static func runProcess() async -> Int32 { await runProcess(nil) }

    /// Runs it with a network; without one, what needs one is left to the program beside this one.
    package static func runProcess(_ network: (any Network)?) async -> Int32 {
        // First, so that no opened file gets the number of a closed standard descriptor.
        StandardDescriptors.occupy()
        if let fault = ProcessText.fault() {
            Console.standard.error("Error: \(fault)")
            return exitCode(for: ArgumentParser.ValidationError(fault)).rawValue
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        return await run(arguments, network: network) { NetworkProgram.takeOver(arguments) }
    }

    /// Runs a command line and returns the exit code: 0; 1 if something was found, differs or was skipped; 2 if the command failed; 64 if
    /// it was no command line.
    public static func run(_ arguments: [String], console: Console = .standard) async -> Int32 {
        await run(arguments, console: console, network: nil)
    }

    /// Runs a command line with a network. Without one, `handingOver` is called for a command that needs it.
    package static func run(
        _ arguments: [String], console: Console = .standard, network: (any Network)?,
        handingOver: () -> CommandError = { NetworkProgram.isMissing(beside: "this program") }
    ) async -> Int32 {
        let own = console.forCommand(isJSON: arguments.prefix { $0 != "--" }.contains("--json"))
        return await Console.$current.withValue(own) {
            await CurrentNetwork.$value.withValue(network) {
                // Help and completion scripts are the tool's own text: nothing in them is to be escaped.
                let code = await outcome(arguments, own, help: console.out, handingOver)
                own.endWarnings()
                return code
            }
        }
    }

    private static func outcome(
        _ arguments: [String], _ console: Console, help: (String) -> Void, _ handingOver: () -> CommandError
    ) async -> Int32 {
        if let fault = CommandNames.fault(in: arguments) {
            console.report(ErrorReport(usage: fault), "Error: \(fault)")
            return ExitCode.validationFailure.rawValue
        }
        do {
            var command = try await parsed(arguments)
            if CurrentNetwork.value == nil, let command = command as? any NetworkCommand, command.needsNetwork {
                let failure = handingOver()
                guard command.canDoWithout else { throw failure }
            }
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
            return report(error, console, help)
        }
    }

    /// Parses with the options that are typed, and with all where that fails: then these are listed, or the nearest is named.
    private static func parsed(_ arguments: [String]) async throws -> any ParsableCommand {
        let names = TypedOptions.names(in: arguments)
        do { return try await TypedOptions.$names.withValue(names) { try await asyncParseAsRoot(arguments) } } catch {
            return try await asyncParseAsRoot(arguments)
        }
    }

    private static func report(_ error: any Error, _ console: Console, _ help: (String) -> Void) -> Int32 {
        let code = exitCode(for: error)
        // The argument parser prints its own messages best: usage errors, help, completion scripts.
        if code.isSuccess {
            help(fullMessage(for: error))
            return code.rawValue
        }
        if code == .validationFailure {
            console.report(ErrorReport(usage: message(for: error)), fullMessage(for: error))
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

/// The names of commands, and what was meant by one that there is not.
enum CommandNames {
    /// What is wrong with the command that a command line names, or asks help for; nil if it names one that there is.
    static func fault(in arguments: [String]) -> String? {
        var words = arguments[...]
        if words.first == "help" { words.removeFirst() }
        var command: any ParsableCommand.Type = TripStoreCommand.self
        var path: [String] = []
        while !command.configuration.subcommands.isEmpty, let word = words.popFirst(), !word.hasPrefix("-") {
            let subcommands = command.configuration.subcommands
            if path.isEmpty && word == "help" { return nil }
            guard let found = subcommands.first(where: { name(of: $0) == word }) else {
                return fault(word, path, subcommands.map(name))
            }
            command = found
            path.append(word)
        }
        return nil
    }

    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }

    /// The command of `audit` that people look for by its name alone, as `blame`, or by the word "history".
    private static func ofAudit(_ word: String) -> String? {
        let word = word == "history" ? "log" : word
        return AuditCommand.configuration.subcommands.map(name).first { $0 == word }.map { "audit \($0)" }
    }

    private static func fault(_ word: String, _ path: [String], _ names: [String]) -> String {
        let start = (["tripstore"] + path).joined(separator: " ")
        let help = (["tripstore", "help"] + path).joined(separator: " ")
        let meant = (path.isEmpty ? ofAudit(word) : nil) ?? NearestName.of(word, in: names)
        let nearest = meant.map { "Did you mean '\(start) \($0)'? " } ?? ""
        return "There is no command '\(start) \(word)'. \(nearest)'\(help)' lists those that there are."
    }
}
