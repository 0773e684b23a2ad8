import ArgumentParser
import Foundation
import LogExchange
import Platform

/// The destination of a command's file: a path, or, for `-`, standard output.
enum OutputTarget {
    case standardOutput
    case file(path: String)

    init(argument: String) {
        self = argument == "-" ? .standardOutput : .file(path: (argument as NSString).expandingTildeInPath)
    }

    var isStandardOutput: Bool { if case .standardOutput = self { true } else { false } }

    /// For commands whose result on standard output could not be distinguished from the file itself.
    static func check(_ argument: String, json: Bool) throws {
        guard argument == "-", json else { return }
        throw ArgumentParser.ValidationError(
            "With - the file itself is on standard output, and there is no room for --json: leave one of them out.")
    }
}

/// A text file with what a whole log says, which a command writes atomically, for this user alone.
struct TextFile {
    private let destination: OutputDestination

    /// Throws if the file cannot be written there: an existing file must not be replaced, or there is no folder.
    ///
    /// - Parameters:
    ///   - start: the start of the files that may be replaced.
    ///   - kind: the name of such files.
    ///   - force: whether any regular file may be replaced.
    init(path: String, replacing start: String, kind: String, force: Bool) throws {
        do throws(OutputError) {
            let replacing: OutputDestination.Replacing =
                force ? .anyFile : .files(beginningWith: Array(start.utf8), kind: kind)
            destination = try OutputDestination(path, replacing: replacing)
        } catch {
            let isOccupied = error.code == .occupied
            throw CommandError(
                error.description + (isOccupied ? " Or replace it with --force." : ""),
                code: isOccupied ? "fileExists" : "unusableFile")
        }
    }

    /// Writes the text, and returns its size in bytes.
    func write(_ text: String) throws -> Int {
        let file: OutputFile
        do { file = try OutputFile(at: destination, isPrivate: true) } catch { throw CommandError(error.systemText) }
        do {
            try file.write(Array(text.utf8))
            try file.finish()
        } catch {
            file.discard()
            throw CommandError(error.systemText)
        }
        return file.size
    }
}
