package import EventLog
package import Events
package import Foundation
import Platform
import Synchronization

extension ContentFolder {
    // MARK: Keeping for others

    /// Whether the bytes are here and as they were. O(bytes). Throws `StorageError`.
    package func isIntact(_ content: ContentID) throws -> Bool {
        do {
            guard let outline = try outline(of: content) else { return false }
            try read(0..<content.partCount, of: outline) { _ in }
            return true
        } catch is ContentError {
            return false
        }
    }

    /// Notes durably that another replica relies on the bytes being here, from now on. False if they are not here, or not as
    /// they were. O(bytes).
    func keep(_ content: ContentID) throws -> Bool {
        guard try isIntact(content) else { return false }
        try Self.write([], to: keptPath(of: content))
        try stamp(keptPath(of: content))
        try Folder.sync(URL(fileURLWithPath: keptPath(of: content)).deletingLastPathComponent().path)
        return true
    }

    /// When another replica last relied on the bytes being here; nil if none did.
    package func kept(_ content: ContentID) -> Date? {
        FileVersion(path: keptPath(of: content))?.date
    }

    // MARK: Tidying

    /// Whether anything lies in `incoming`.
    package var hasLeftovers: Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: incoming))?.isEmpty == false
    }

    /// Removes what a crash or a given-up transfer left in `incoming`: new bytes that nobody writes any more, and parts of a transfer that
    /// was not continued since a time.
    package func removeLeftovers(writtenBefore limit: Date) throws {
        try removeUnfinished(writtenBefore: limit)
        try removeStrays(writtenBefore: limit)
    }

    /// Removes from `incoming` what `removeLeftovers` does, but not files of some names.
    func removeUnfinished(writtenBefore limit: Date, except isKept: (String) -> Bool = { _ in false }) throws {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: incoming)) ?? [] where !isKept(name) {
            let path = "\(incoming)/\(name)"
            guard name.hasSuffix(".new") || (FileVersion(path: path).map { $0.date < limit } ?? false) else { continue }
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            // Who writes has the lock.
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
            guard unlink(path) == 0 || errno == ENOENT else { throw StorageError(errno, "remove", path: path) }
        }
        let left = Set((try? FileManager.default.contentsOfDirectory(atPath: incoming)) ?? [])
        verified.withLock { $0 = $0.filter { left.contains($0.key.incomingName) } }
    }

    /// Removes what lies beside bytes that are not here, and half written side files.
    private func removeStrays(writtenBefore limit: Date) throws {
        for folder in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where folder.count == 2 {
            let names = Set((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? [])
            for name in names where Digest(name) == nil {
                let parts = name.split(separator: ".")
                let isWhole =
                    parts.count == 2 && ["parts", "kept"].contains(parts[1]) && names.contains(String(parts[0]))
                let file = "\(path)/\(folder)/\(name)"
                guard !isWhole, let version = FileVersion(path: file), version.date < limit else { continue }
                guard unlink(file) == 0 || errno == ENOENT else { throw StorageError(errno, "remove", path: file) }
            }
        }
    }

    private var tidiedPath: String { path + "/tidied" }

    /// Whether a day has passed since `noteTidied`, or it was never called.
    package var isTidyingDue: Bool {
        let limit = Date(timeIntervalSince1970: Double(now() - 86_400_000) / 1000)
        return FileVersion(path: tidiedPath).map { $0.date < limit } ?? FileManager.default.fileExists(atPath: path)
    }

    package func noteTidied() throws {
        try Folder.create(path)
        try Self.write([], to: tidiedPath)
        try stamp(tidiedPath)
    }

    /// Removes what is old or given up, at most once a day: for servers, which have the log alone. It blocks.
    func tidyIfDue(_ log: Log) throws {
        guard isTidyingDue else { return }
        try noteTidied()
        try removeLeftovers(writtenBefore: Date(timeIntervalSince1970: Double(now() - Self.keepingTime) / 1000))
        try removeDiscarded(log)
    }

    /// Removes what commits of the log that count have given up for ever: but not what came here later, which was named again, or is about
    /// to be, for 30 days. It blocks. O(commits).
    package func removeDiscarded(_ log: Log) throws {
        let old = Date(timeIntervalSince1970: Double(now() - Self.keepingTime) / 1000)
        for (content, discarded) in try DiscardedContents(log).contents {
            _ = try remove(content, writtenBefore: max(discarded.addingTimeInterval(0.001), old))
        }
    }

    /// Removes a content that only erased events named, and parts of it that came, unless its bytes were stored again since a time.
    package func erase(_ content: ContentID, writtenBefore limit: Date) throws {
        let part = incomingPath(of: content)
        guard unlink(part) == 0 || errno == ENOENT else { throw StorageError(errno, "remove", path: part) }
        _ = try remove(content, writtenBefore: limit)
    }

    /// How long bytes that nobody needs are kept, in milliseconds: 30 days.
    package static let keepingTime: Int64 = 30 * 86_400_000

    /// How long a content of which no part comes keeps the room of its missing bytes from others, in milliseconds: an hour.
    package static let reservingTime: Int64 = 3_600_000
}
