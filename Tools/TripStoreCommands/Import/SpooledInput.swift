import Foundation
import TravelingSnails
import TripStore

/// A copy of a stream in a file, for several passes over it. The file has no name from the start, so that nothing of it is left when
/// the process is interrupted.
final class SpooledInput {
    private static let pieceSize = 1 << 20

    /// By this the file can be opened, as long as the value is there.
    let path: String
    /// The name of the file where it must have one.
    private let named: String?
    private let file: FileHandle

    /// Reads the stream to its end.
    init(_ stream: FileHandle) throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-\(UUID().uuidString)").path
        let descriptor = open(place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandError("\(place) could not be made to keep the input. Check the folder and its disk.")
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // A file without a name is opened by its descriptor, on systems that have that.
        let nameless = "/dev/fd/\(descriptor)"
        let isNameless = access(nameless, R_OK) == 0
        if isNameless { unlink(place) }
        (path, named) = isNameless ? (nameless, nil) : (place, place)
        do {
            while let piece = try stream.read(upToCount: Self.pieceSize), !piece.isEmpty {
                try file.write(contentsOf: piece)
            }
            // Where opening it anew means to go on where this descriptor stands.
            try file.seek(toOffset: 0)
        } catch {
            if let named { unlink(named) }
            throw CommandError(
                "Standard input could not be kept in \(place): \(error.localizedDescription) Check the room on the disk."
            )
        }
    }

    deinit { if let named { unlink(named) } }

    /// Calls `body` with the path of the copy. What is wrong with the file is said of the stream, for nobody knows the
    /// copy.
    func read<T>(_ body: (String) async throws -> T) async throws -> T {
        defer { withExtendedLifetime(self) {} }
        do {
            return try await body(path)
        } catch let error as ExportError {
            throw CommandError(error.message.replacingOccurrences(of: path, with: "Standard input"))
        } catch let error as ExchangeError {
            let message = error.message.replacingOccurrences(
                of: "The bundle \(path)", with: "The bundle on standard input"
            )
            .replacingOccurrences(of: path, with: "Standard input")
            throw ExchangeError(error.code, message, cause: error.cause)
        }
    }
}
