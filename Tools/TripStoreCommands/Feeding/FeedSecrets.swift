import Foundation
import Platform
import TripStore

/// A secret address of a trip's calendar.
struct Feed: Sendable {
    let trip: Trip.ID
    let secret: FeedSecret
    let made: Date
}

/// The feeds of a store, with their secrets: a file in its folder, which this user alone can read.
///
/// It is apart from the log, so that no other device, backup or dump has the secrets, and none of them stays when it was revoked. It is
/// read anew for each use, so that a process that serves feeds follows the commands that add and revoke them.
struct FeedSecrets: Sendable {
    static let fileName = "feeds.json"
    private static let version = 1
    /// A feed takes some 150 bytes.
    private static let mostBytes = 16 << 20

    let folder: String

    var path: String { "\(folder)/\(Self.fileName)" }

    /// - Parameter folder: that of a store.
    init(in folder: URL) { self.folder = folder.path }

    /// The feeds in the order in which they were made; none if there is no file.
    ///
    /// Throws `StorageError` if the file cannot be read, and `CommandError` with `feedsNotPrivate` if it has other permissions than 0600,
    /// `damagedFeeds` or `newerFeeds`.
    func feeds() throws -> [Feed] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let number = errno
            if number == ENOENT { return [] }
            throw StorageError(number, "open", path: path)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StorageError(errno, "read", path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw damaged("it is no regular file") }
        let permissions = status.st_mode & 0o777
        guard permissions == 0o600 else {
            throw CommandError(
                "The secrets of feeds in \(path) have the permissions \(String(permissions, radix: 8)) in the place of 600, so that others "
                    + "may have read them. Run 'chmod 600' on it, and then 'tripstore feed revoke' for addresses that others may have. "
                    + "On a file system without permissions there can be no feeds.", code: "feedsNotPrivate")
        }
        guard status.st_size <= Self.mostBytes else { throw damaged("it has \(status.st_size) bytes") }
        let data: Data
        do { data = try file.readToEnd() ?? Data() } catch {
            throw CommandError("\(path) could not be read: \(error.systemText). Check the medium.")
        }
        return try feeds(in: data)
    }

    /// The feed with a secret; nil if there is none. All are compared, in a time that says nothing of them.
    func feed(with secret: FeedSecret) throws -> Feed? {
        var found: Feed?
        for feed in try feeds() where feed.secret.matches(secret) { found = feed }
        return found
    }

    /// Changes the feeds and replaces the file, durably; other processes wait that change them as well. Throws what `feeds()` and `body`
    /// throw, and `CommandError` with `unusableFile` if it cannot be written: then it is unchanged.
    func change<T>(_ body: (inout [Feed]) throws -> T) throws -> T {
        try change(OpeningLock(folder), body)
    }

    private func change<T>(_ lock: borrowing OpeningLock, _ body: (inout [Feed]) throws -> T) throws -> T {
        var feeds = try feeds()
        let result = try body(&feeds)
        do {
            let file = try OutputFile(at: OutputDestination(Self.fileName, inStore: folder), isPrivate: true)
            defer { file.discard() }
            try file.write(Array((Self.json(feeds).text + "\n").utf8))
            try file.finish()
        } catch {
            throw CommandError(error.systemText, code: "unusableFile")
        }
        // File systems without permissions give every file their own.
        _ = try self.feeds()
        return result
    }

    // MARK: The file

    private struct Header: Decodable {
        let version: Int
    }

    private struct Contents: Decodable {
        struct Entry: Decodable {
            let trip: String
            let secret: String
            let made: String
        }

        let feeds: [Entry]
    }

    private static func json(_ feeds: [Feed]) -> JSON {
        let entries = feeds.map { feed in
            JSON.object([
                ("trip", .string("\(feed.trip)")), ("secret", .string(feed.secret.text)),
                ("made", .string(feed.made.utcText)),
            ])
        }
        return .object([("version", .integer(version)), ("feeds", .array(entries))])
    }

    private func feeds(in data: Data) throws -> [Feed] {
        guard let version = try? JSONDecoder().decode(Header.self, from: data).version else {
            throw damaged("it is no JSON object with a version")
        }
        guard version == Self.version else {
            throw CommandError(
                "\(path) was written by a newer version of this program, as version \(version). Update this program.",
                code: "newerFeeds")
        }
        guard let entries = try? JSONDecoder().decode(Contents.self, from: data).feeds else {
            throw damaged("its feeds are no list of objects")
        }
        return try entries.enumerated().map { number, entry in
            guard let trip = Trip.ID(entry.trip), let secret = FeedSecret(entry.secret),
                let made = try? Moment(parsing: entry.made, in: "UTC")
            else { throw damaged("the entry \(number + 1) has no trip, secret or time that is one") }
            return Feed(trip: trip, secret: secret, made: made.date)
        }
    }

    private func damaged(_ reason: String) -> CommandError {
        CommandError(
            "The secrets of feeds in \(path) are damaged: \(reason). Mend the file, or remove it, which revokes every address, and make "
                + "new ones with 'tripstore feed add TRIP'.", code: "damagedFeeds")
    }
}
