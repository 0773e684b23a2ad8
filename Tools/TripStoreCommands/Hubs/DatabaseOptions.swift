import ArgumentParser
import Foundation
import HubDatabase
import LogExchange
import Logging
import TripStore

/// A database on the command line.
struct DatabaseArgument: ExpressibleByArgument {
    let address: DatabaseAddress

    init?(argument: String) {
        guard let address = DatabaseAddress(argument) else { return nil }
        self.address = address
    }
}

extension DatabaseArgument {
    static let help: ArgumentHelp = """
        The PostgreSQL database of hubs: postgresql://USER@HOST:PORT/NAME, as libpq reads it. Passwords belong in PGPASSWORD or ~/.pgpass.
        """
}

/// A folder for copies of journals, which go when the command ends.
final class CopyFolder: Sendable {
    let url: URL

    /// Makes one, in a folder that is given, or in the system's for temporary files.
    init(in parent: String? = nil) throws {
        let parent = parent.map { URL(argument: $0) } ?? FileManager.default.temporaryDirectory
        url = parent.appendingPathComponent("tripstore-copies-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

extension DatabaseArgument {
    /// Connects, and runs `body` with the database and a folder for copies.
    func use<T>(
        logger: Logger = Logger(label: "tripstore", factory: { _ in SwiftLogNoOpLogHandler() }),
        copiesIn parent: String? = nil,
        _ body: (HubDatabase, URL) async throws -> T
    ) async throws -> T {
        let copies = try CopyFolder(in: parent)
        let database = try await HubDatabase.open(address, logger: logger)
        defer { database.close() }
        // It goes with the last reference to it.
        defer { withExtendedLifetime(copies) {} }
        return try await body(database, copies.url)
    }
}

extension HubDatabase {
    /// The journals that an option chooses: one, or all.
    func journals(_ one: JournalID?) async throws -> [JournalID] {
        if let one { return [one] }
        return try await journals()
    }
}

/// A journal's id on the command line.
struct JournalArgument: ExpressibleByArgument {
    let journal: JournalID

    init?(argument: String) {
        guard let journal = JournalID(argument) else { return nil }
        self.journal = journal
    }
}
