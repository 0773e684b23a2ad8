import Foundation
import LogExchange
import Platform
import TravelingSnails
import TripFormats
import TripStore

/// A copy of a stream in a file, for several passes over it. The file is unlinked at once, so that nothing of it is
/// left if the process is interrupted.
final class SpooledInput {
    private static let pieceSize = 1 << 20

    /// What people call the stream.
    private let name: String
    /// The path to open the file, valid as long as this object.
    let path: String
    /// The name of the file if it must have one.
    private let named: String?
    private let file: FileHandle

    /// Reads the stream to its end.
    /// - Parameter name: what people call it.
    init(_ stream: FileHandle, named name: String = "Standard input") throws {
        self.name = name
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-\(UUID().uuidString)").path
        let descriptor = open(place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandError("\(place) could not be made to keep the input. Check the folder and its disk.")
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // An unlinked file is opened by its descriptor, on systems that support it.
        let nameless = "/dev/fd/\(descriptor)"
        let isNameless = access(nameless, R_OK) == 0
        if isNameless { unlink(place) }
        (path, named) = isNameless ? (nameless, nil) : (place, place)
        do {
            try Self.copy(stream.fileDescriptor, named: name, to: file, at: place)
            // On some systems opening it again continues at the descriptor's offset.
            try file.seek(toOffset: 0)
        } catch {
            if let named { unlink(named) }
            throw error
        }
    }

    private static func copy(_ stream: Int32, named name: String, to file: FileHandle, at place: String) throws {
        var piece = Data(count: pieceSize)
        while true {
            let count = piece.withUnsafeMutableBytes { Foundation.read(stream, $0.baseAddress, $0.count) }
            if count == 0 { return }
            guard count > 0 else {
                let number = errno
                if number == EINTR { continue }
                if number == EAGAIN {
                    var descriptor = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
                    _ = poll(&descriptor, 1, -1)
                    continue
                }
                // EINVAL where something else has got the number of the descriptor since.
                let isClosed = number == EBADF || number == EINVAL
                let words = isClosed ? "it is closed" : String(cString: strerror(number))
                throw CommandError("\(name) cannot be read: \(words). Connect a file or a pipe to it.")
            }
            do { try file.write(contentsOf: piece.prefix(count)) } catch {
                throw CommandError(
                    "\(name) could not be kept in \(place): \(error.systemText). Check the room on the disk.")
            }
        }
    }

    deinit { if let named { unlink(named) } }

    /// Calls `body` with the path of the copy. Errors about the file name the stream, because the copy is unknown to
    /// people.
    func read<T>(_ body: (String) async throws -> T) async throws -> T {
        defer { withExtendedLifetime(self) {} }
        do {
            return try await body(path)
        } catch let error as ExportError {
            throw CommandError(error, at: path, called: name)
        } catch var error as TextFormatError where error.file == path {
            error.file = name
            throw error.namingCommands
        } catch let error as DumpError where error.file == path {
            throw DumpError(
                error.code, error.what, file: name, line: error.line, column: error.column)
        } catch let error as TripStoreError {
            let message = error.message.replacingOccurrences(
                of: "The bundle \(path)", with: "The bundle on standard input"
            )
            .replacingOccurrences(of: path, with: name)
            throw TripStoreError(error.code, message, entity: error.entity, field: error.field, cause: error.cause)
        }
    }
}

extension CommandError {
    /// An error of an export, with the name of its file: some have the path, others only the place in it.
    init(_ error: ExportError, at path: String, called name: String) {
        self.init(
            error.message.contains(path)
                ? error.message.replacingOccurrences(of: path, with: name) : "\(name): \(error.message)",
            code: error.code.rawValue)
    }
}
