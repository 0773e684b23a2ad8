import Foundation
import Platform

/// The file, or standard output, that an export writes piece by piece. A file is moved to its name once it is whole.
final class ExportOutput {
    private let file: OutputFile?
    private var waiting: [UInt8] = []
    /// Bytes written so far.
    private(set) var size = 0

    var isStandardOutput: Bool { file == nil }

    /// Throws `CommandError` if the file cannot be written there, or is there and not to be replaced.
    /// A file that is private can be read by this user alone.
    init(_ target: OutputTarget, replacing: Bool, isPrivate: Bool = false) throws {
        guard case .file(let path) = target else {
            file = nil
            return
        }
        do throws(OutputError) {
            file = try OutputFile(
                at: OutputDestination(path, replacing: replacing ? .anyFile : .nothing), isPrivate: isPrivate)
        } catch {
            let isOccupied = error.code == .occupied
            throw CommandError(
                error.description + (isOccupied ? " The option is --force." : ""),
                code: isOccupied ? "fileExists" : "unusableFile")
        }
    }

    /// Appends UTF-8.
    func write(_ text: String) throws { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws {
        waiting += bytes
        size += bytes.count
        guard waiting.count >= 1 << 16 else { return }
        // On a terminal a piece ends with a line.
        guard file == nil, Console.current.bytes == nil else { return try flush() }
        let end = (waiting.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        let rest = waiting[end...]
        waiting.removeLast(rest.count)
        try flush()
        waiting += rest
    }

    /// Makes the file durable and gives it its name.
    func finish() throws {
        try flush()
        do { try file?.finish() } catch { throw CommandError(error.systemText) }
    }

    /// Removes what was written of a file.
    func discard() { file?.discard() }

    /// Prints what waits; where only text is read, as on a terminal, line by line.
    private func print() {
        if let bytes = Console.current.bytes { return bytes(waiting) }
        var lines = String(decoding: waiting, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines { Console.current.out(String(line)) }
    }

    private func flush() throws {
        defer { waiting.removeAll(keepingCapacity: true) }
        guard let file else { return print() }
        do { try file.write(waiting) } catch { throw CommandError(error.systemText) }
    }
}
