import EventLog
import Events
import Foundation
import LogExchange

/// The attachments' bytes of a journal in the database, for members of the journal: a row for each part.
///
/// Those alone can be asked for that a counting commit of the log names, as of a hub's folder. Parts are verified before they are stored.
/// A transfer goes on through any hub at its first missing part.
final class DatabaseContents: ContentPeer {
    private let pool: DatabasePool
    private let journal: JournalID
    private let log: Log
    private let names: ContentNames
    /// The most bytes of attachments in the journal.
    private let most: Int64

    init(_ pool: DatabasePool, _ journal: JournalID, _ log: Log) {
        self.pool = pool
        self.journal = journal
        self.log = log
        names = ContentNames(log)
        most = log.quotas.attachmentBytes
    }

    private func rows<T: Sendable>(_ body: @escaping @Sendable (ContentRows) throws -> T) async throws -> T {
        try await pool.read { [journal] in try body(ContentRows(connection: $0, journal: journal)) }
    }

    private func stored<T: Sendable>(_ body: @escaping @Sendable (ContentRows) throws -> T) async throws -> T {
        try await pool.store { [journal] in try body(ContentRows(connection: $0, journal: journal)) }
    }

    func held(_ contents: [NamedContent], keeping: Bool) async throws -> [Bool] {
        _ = try await tidyIfDue()
        let named = try contents.map { try names.contain($0) }
        let now = log.wallClock
        let asked = zip(contents, named).filter(\.1).map(\.0.content)
        let held = try await rows { rows in
            try asked.map { try rows.state(of: $0)?.isWhole($0) == true }
        }
        let kept = keeping ? zip(asked, held).filter(\.1).map(\.0) : []
        if !kept.isEmpty { try await stored { try $0.noteKept(kept, at: now) } }
        var answers = held.makeIterator()
        return named.map { $0 && (answers.next() ?? false) }
    }

    func outline(of content: NamedContent) async throws -> ContentOutline? {
        try names.check(content)
        return try await rows { rows in
            guard let state = try rows.state(of: content.content), state.isWhole(content.content) else { return nil }
            return state.outline(of: content.content)
        }
    }

    func parts(_ range: Range<Int>, of content: NamedContent, _ body: ([UInt8]) async throws -> Void) async throws {
        try names.check(content)
        for index in range.clamped(to: 0..<content.content.partCount) {
            try Task.checkCancellation()
            guard let part = try await rows({ try $0.part(index, of: content.content) }) else {
                throw ExchangeError(
                    .withheld,
                    "Part \(index + 1) of \(content.content) is not here. Exchange with a replica that has it.")
            }
            try await body(part)
        }
    }

    func begin(_ content: NamedContent, _ outline: ContentOutline) async throws -> Int {
        try names.check(content)
        guard outline.content == content.content else {
            throw ExchangeError(.malformed, "The outline is of other bytes than the request.")
        }
        return try await begin(outline)
    }

    private func begin(_ outline: ContentOutline) async throws -> Int {
        let (now, most) = (log.wallClock, most)
        if let next = try await stored({ try $0.begin(outline, at: now, most: most) }) { return next }
        let next: Int? = try await stored { rows in
            guard outline.content.size <= most else { return nil }
            // Transfers without progress give way, as in a hub's folder.
            try rows.removeUnfinished(writtenBefore: now - ContentFolder.reservingTime)
            return try rows.begin(outline, at: now, most: most)
        }
        guard let next else { throw tooMuch(outline.content) }
        return next
    }

    private func tooMuch(_ content: ContentID) -> EventLogError {
        EventLogError(
            .quotaExceeded,
            "The \(content.size) bytes of \(content) are not taken in: \(most) bytes of attachments are the most here (quota "
                + "\(EventLogError.Quota.attachmentBytes.rawValue)). Everything else is taken in.",
            quota: .attachmentBytes)
    }

    func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws -> Int {
        try names.check(content)
        let id = content.content
        // Bytes of one part need no outline from their sender.
        if let outline = ContentOutline(short: id), outline.verifies(part, at: index) { _ = try await begin(outline) }
        let (now, most) = (log.wallClock, most)
        let next: Int? = try await stored { rows in
            guard let state = try rows.state(of: id), let outline = state.outline(of: id) else {
                throw ExchangeError(.malformed, "The bytes of \(id) were not begun.")
            }
            if index < state.nextPart { return state.nextPart }
            guard index == state.nextPart else { throw ContentError.gone(index, of: id, state.nextPart) }
            guard outline.verifies(part, at: index) else { throw ContentError.wrongPart(index, of: id) }
            return try rows.store(part, at: index, of: id, now, most: most) ? index + 1 : nil
        }
        guard let next else { throw tooMuch(id) }
        return next
    }

    /// Removes what is old, given up, or named by no commit any more: at most once a day by any hub, and at once after
    /// erased bytes were removed. Returns false if there is still something to do: the log lacks what other hubs have
    /// stored meanwhile. O(commits).
    func tidyIfDue() async throws -> Bool {
        let now = log.wallClock
        // Before the commits are read: what is removed after it may have been their last name.
        let cursor = try log.ledgerCursor().flatMap { DatabaseCursor($0) }
        guard let cursor, try await rows({ try $0.isTidyingDue(at: now) }) else { return true }
        let old = now - ContentFolder.keepingTime
        var limits = try DiscardedContents(log).contents.mapValues { date in
            max(Int64(date.timeIntervalSince1970 * 1000) + 1, old)
        }
        if try await holdsAllEntries() {
            let named = try log.namedContents()
            for content in try await rows({ try $0.contents() }) where !named.contains(content.root) {
                limits[content] = .max
            }
        }
        return try await stored { [limits] in try $0.tidy(limits, unfinishedBefore: old, at: now, cursor) }
    }

    /// Whether the log holds the commits of entries that were set aside: until members have sent them again, it is not
    /// known what they name.
    private func holdsAllEntries() async throws -> Bool {
        let setAside = try await pool.read { [journal] in
            try JournalRows(connection: $0, journal: journal).entriesSetAside()
        }
        return try log.read { [journal] log in
            try setAside.compactMap(\.first).allSatisfy { try log.holds($0, in: journal) }
        }
    }
}
