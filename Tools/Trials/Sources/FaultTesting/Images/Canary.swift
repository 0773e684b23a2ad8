import Foundation
import Trips

/// A text that a trip has in its notes, and that nothing else has: once the trip was erased, no file may have it.
enum Canary {
    private static let prefix = "canary of "
    /// Characters of a trip's id.
    private static let idLength = 36

    static func text(of trip: Trip.ID) -> String { "\(prefix)\(trip)" }

    /// The trips whose texts the files below a folder have, each with one of these files. O(bytes).
    ///
    /// Throws what listing the folder throws. Files that are removed meanwhile have none.
    static func found(inFilesOf folder: String) throws -> [Trip.ID: String] {
        let prefix = Data(prefix.utf8)
        var found: [Trip.ID: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
            var rest = bytes[...]
            while let range = rest.range(of: prefix) {
                rest = rest[range.upperBound...]
                if let trip = Trip.ID(String(decoding: rest.prefix(idLength), as: UTF8.self)) { found[trip] = name }
            }
        }
        return found
    }
}
