import Foundation
import TravelingSnails

/// A copy of a stream in a file, for the passes over it; the file goes with the value.
final class SpooledInput {
    private static let pieceSize = 1 << 20

    let path: String

    /// Reads the stream to its end.
    init(_ stream: FileHandle) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-\(UUID().uuidString).json")
        path = url.path
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CommandError("\(path) could not be made to keep the input. Check the folder and its disk.") }
        do {
            let copy = try FileHandle(forWritingTo: url)
            while let piece = try stream.read(upToCount: Self.pieceSize), !piece.isEmpty {
                try copy.write(contentsOf: piece)
            }
            try copy.close()
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw CommandError(
                "Standard input could not be kept in \(path): \(error.localizedDescription) Check the room on the disk."
            )
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Calls `body` with the path of the copy. What is wrong with the file is said of the stream, for nobody knows the
    /// copy.
    func read<T>(_ body: (String) async throws -> T) async throws -> T {
        defer { withExtendedLifetime(self) {} }
        do {
            return try await body(path)
        } catch let error as ExportError {
            throw CommandError(error.message.replacingOccurrences(of: path, with: "Standard input"))
        }
    }
}
