#if Hub
    import Foundation
    import HubDatabase
    import LogExchange
    import Logging
    import TripStoreCommands

    /// The journals of a database, for a hub that shares it.
    struct SharedJournals {
        let database: DatabaseArgument
        let hosting: HostingOptions
        let leastFree: Int
        /// Where copies lie; nil for the system's folder for temporary files.
        let scratch: String?

        /// Connects, says what the database may lose, and runs `body` with the folder for a certificate, the journals and the database.
        func serve(_ logger: Logger, _ body: (URL, JournalFolder, HubDatabase) async throws -> Void) async throws {
            try await database.use(logger: logger, copiesIn: scratch) { database, copies in
                let journals = JournalFolder(
                    copies, backing: database, options: try hosting.options(leastFree: leastFree), logger: logger)
                do {
                    try await body(scratch.map { URL(argument: $0) } ?? copies, journals, database)
                    await journals.close()
                } catch {
                    await journals.close()
                    throw error
                }
            }
        }
    }
#endif
