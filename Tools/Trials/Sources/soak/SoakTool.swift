import ArgumentParser
import DamageTrials
import FaultTesting
import Foundation

/// Long trials that nothing acknowledged is ever lost.
@main
struct SoakTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak", abstract: "Try power cuts, kills, failing disks and damage until something is lost.",
        subcommands: [CrashCommand.self, KillCommand.self, DiskCommand.self, DamageCommand.self, HubCommand.self])
}

/// Prints a line at once, so that findings are seen also when the output is a file and the tool is stopped.
func report(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
