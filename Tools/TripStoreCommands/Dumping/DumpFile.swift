public import Foundation
public import TripStore

/// Writes dumps of stores that are open already.
public enum DumpFile {
    /// Writes everything that a store's log says to a file, for this user alone, whole or not at all. Another file there is replaced.
    ///
    /// Throws what reading the log throws, or why the file cannot be written.
    public static func write(_ store: TripStore, to file: URL) async throws {
        let output = try ExportOutput(.file(path: file.path), replacing: true, isPrivate: true)
        var tally = DumpTally()
        do {
            try await store.dump { part in
                for line in tally.lines(of: part) { try output.write(line + "\n") }
            }
            try output.finish()
        } catch {
            output.discard()
            throw error
        }
    }
}
