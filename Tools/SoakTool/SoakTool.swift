import ArgumentParser
import FaultTesting
import Foundation

/// Long trials of what must never lose anything.
@main
struct SoakTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak", abstract: "Try power cuts, kills and failing disks until something is lost.",
        subcommands: [CrashCommand.self, KillCommand.self, DiskCommand.self])
}

/// Prints a line at once, for what was found is to be seen also when the output is a file and the tool is stopped.
func report(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
