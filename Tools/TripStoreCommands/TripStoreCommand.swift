public import ArgumentParser
import Foundation
import Platform

/// The `tripstore` command.
public struct TripStoreCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "tripstore",
        abstract: "An event-sourced store of trips: import, edit, sync, replay, audit.",
        discussion:
            "The store is the folder given by --store, after the command, or by the environment variable TRIPSTORE.",
        subcommands: [
            InitCommand.self, StatusCommand.self, ImportCommand.self, TripsCommand.self, ShowCommand.self,
            AddCommand.self, EditCommand.self, DeleteCommand.self, RestoreCommand.self, MoveCommand.self,
            UndoCommand.self, RedoCommand.self, SettleCommand.self, ReplayCommand.self, AuditCommand.self,
            TailCommand.self, SyncCommand.self, CloneCommand.self, BundleCommand.self, PeersCommand.self,
            BackupCommand.self, MembersCommand.self, GrantCommand.self, RevokeCommand.self, InviteCommand.self,
            JoinCommand.self, VoidCommand.self,
        ])

    public init() {}

    /// Runs the command line of this process. Arguments that are no UTF-8 are refused: they could not be told from others.
    public static func runProcess() async -> Int32 {
        // First, so that no file which is opened gets the number of a standard descriptor that is closed.
        StandardDescriptors.occupy()
        if let fault = ProcessText.fault() {
            Console.standard.error("Error: \(fault)")
            return exitCode(for: ArgumentParser.ValidationError(fault)).rawValue
        }
        return await run(Array(CommandLine.arguments.dropFirst()))
    }

    /// Runs a command line and answers the exit code: 0, 1 if it failed, 64 if it was no command line.
    public static func run(_ arguments: [String], console: Console = .standard) async -> Int32 {
        let console = console.showingAll
        return await Console.$current.withValue(console) { () async -> Int32 in
            do {
                var command = try parseAsRoot(arguments)
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
                guard let failure = console.failure() else { return 0 }
                throw CommandError("Not all of the output could be written: \(failure).")
            } catch let code as ExitCode {
                return code.rawValue
            } catch {
                return report(error, console)
            }
        }
    }

    private static func report(_ error: any Error, _ console: Console) -> Int32 {
        let code = exitCode(for: error).rawValue
        // What the argument parser has to say, it says best itself: usage errors, help, completion scripts.
        if code == 0 {
            console.out(fullMessage(for: error))
            return 0
        }
        if code == ExitCode.validationFailure.rawValue {
            console.error(fullMessage(for: error))
            return code
        }
        console.error("Error: \(error.systemText)")
        return 1
    }
}
