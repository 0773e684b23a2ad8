package import EventLog
package import Events

/// Where the journals of a `JournalFolder` are kept, if not in the folder: several servers may share it. The folder then has copies,
/// which are made when they are needed, and thrown away.
package protocol JournalBacking: Sendable {
    /// Whether anything of a journal is kept.
    func holds(_ journal: JournalID) async throws -> Bool

    /// How many journals are kept, counted up to a number. O(that number).
    func journalCount(upTo most: Int) async throws -> Int

    /// The journals that are kept.
    func journals() async throws -> [JournalID]

    /// Whether an error says that nothing that is kept can be reached, of whatever journal.
    func meansAway(_ error: any Error) -> Bool

    /// Makes a copy in an empty folder, up to date, whose log has the given options.
    func open(_ journal: JournalID, in folder: String, _ options: Log.Options) async throws -> any BackedJournal
}

/// A copy of a journal that is kept elsewhere.
package protocol BackedJournal: Sendable {
    var log: Log { get }
    /// The attachments' bytes, as members may ask for them; nil if none are kept.
    var contents: (any ContentPeer)? { get }
    /// Whether what is kept is another state than the copy continues, so that another copy must be made.
    var isStale: Bool { get }

    /// Takes in what other servers stored. Throws if that is not known, or the copy is stale.
    func refresh() async throws

    /// Whether a member was served, by any server: see `JournalBeginning`.
    func isBegun() async throws -> Bool
    func noteBegun() async throws

    /// Removes the attachments' bytes that are not wanted any more, if it is time for it.
    func tidy() async throws

    /// Ends its use: sessions that still have it end, and their clients connect again.
    func close() async
}
