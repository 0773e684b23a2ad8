import ArgumentParser
import Foundation
import Platform

/// How the code of an invitation comes in and goes out. Who has it becomes a member, and arguments are seen by others.
enum CodeInput {
    /// A code has some two hundred characters.
    private static let mostBytes = 4096

    /// From a file; from standard input for `-`, or where nobody can be asked; from the terminal; or from the argument, with a warning.
    static func read(_ argument: String?, file: String?) throws -> String {
        guard argument == nil || file == nil else {
            throw ArgumentParser.ValidationError("The code and --code-file: leave one of them out.")
        }
        if let file { return try fromFile(file) }
        if let argument, argument != "-" {
            warn()
            return argument
        }
        let console = Console.current
        let line =
            argument == nil
            ? console.ask.map { $0("The code of the invitation:") } ?? console.readLine() : console.readLine()
        guard let line, !line.allSatisfy(\.isWhitespace) else {
            throw CommandError(
                "No code was given. Type it, pipe it to standard input, or name its file with --code-file.")
        }
        return line
    }

    static func warn() {
        Console.current.warn(
            "A code in the arguments can be read by other users of this machine, and stays in the shell's history: leave it out to be asked for it."
        )
    }

    private static func fromFile(_ path: String) throws -> String {
        let path = (path as NSString).expandingTildeInPath
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandError("The file \(path) of the code cannot be read. Check the path.".visible)
        }
        defer { try? handle.close() }
        guard let data = try handle.read(upToCount: mostBytes), let text = String(data: data, encoding: .utf8) else {
            throw CommandError("The file \(path) holds no code.".visible)
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A file for a code: none may be there. It is made once the code is.
    static func newFile(_ path: String) throws -> CodeFile {
        do throws(OutputError) {
            return CodeFile(
                destination: try OutputDestination((path as NSString).expandingTildeInPath, replacing: .nothing))
        } catch {
            throw CommandError(error.description, code: error.code == .occupied ? "fileExists" : "unusableFile")
        }
    }
}

/// A new file for a code, for this user alone.
struct CodeFile {
    fileprivate let destination: OutputDestination

    func write(_ text: String) throws {
        do {
            let file = try OutputFile(at: destination, isPrivate: true)
            do {
                try file.write(Array(text.utf8))
                try file.finish()
            } catch {
                file.discard()
                throw error
            }
        } catch {
            throw CommandError(
                "\(error.systemText) The invitation is made: 'tripstore members' lists its key, with which it is withdrawn."
            )
        }
    }
}
