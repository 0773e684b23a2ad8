import EventLog
package import Events
package import Foundation
import Synchronization

/// Which commits of a log imports wrote, as their marks say; and what of these is undone.
///
/// What is undone of an import counts as never imported: importing the file again writes it again. The mark of an undoing names one
/// commit, and that of a whole import the newest of the run; so it counts for every commit of the run.
package final class ImportHistory: Sendable {
    private struct Commit {
        let stamp: Stamp
        let position: Position
        /// What the commits of a run have in common.
        let run: UUID?
        let isOfFile: Bool
    }

    /// What is undone.
    private struct Undone {
        let marks: UndoMarks
        /// Of each run the commits that marks lead to.
        var roots: [UUID?: [Digest]] = [:]

        init(_ marks: UndoMarks, of commits: [Digest: Commit]) {
            self.marks = marks
            for (hash, commit) in commits where marks.isRoot(hash) { roots[commit.run, default: []].append(hash) }
        }
    }

    private struct State {
        var commits: [Digest: Commit] = [:]
        /// Up to where the log was read.
        var position = Position.start
        var hasUndoings = false
        /// Nil if it was not asked for since a commit of an import, or an undoing, came.
        var undone: Undone?
    }

    private let state = Mutex(State())

    package init() {}

    /// Reads what came since. O(commits since, and their events).
    func extend(_ log: borrowing LogSnapshot) throws {
        try state.withLock { state in
            try log.forEachCommit(after: state.position) { commit in
                state.position = commit.position
                guard commit.counts, let authorship = try? commit.view.payload?.authorship() else { return true }
                // Days that follow others are an import's as well, but of no file.
                let mark = ImportMark(authorship.causation)
                let isImport = mark != nil
                let isUndoing = UndoMark(authorship.causation) != nil
                if isImport || isUndoing { state.undone = nil }
                if isUndoing { state.hasUndoings = true }
                if isImport {
                    var stamp = commit.stamp
                    if RewriteMark.isOne(authorship.causation) {
                        // It is as old as what was erased of it.
                        commit.forEachEvent { event, _ in stamp = min(stamp, commit.stamp.moved(to: event.original)) }
                    }
                    state.commits[commit.hash] = Commit(
                        stamp: stamp, position: commit.position, run: authorship.correlation,
                        isOfFile: mark?.part != .days)
                }
                return true
            }
        }
    }

    /// Whether an import wrote the commit of a hash.
    func contains(_ hash: Digest) -> Bool { state.withLock { $0.commits[hash] != nil } }

    /// Whether an import wrote the commit of a hash, and what its run did to an entity is not undone.
    func stands(_ hash: Digest, _ entity: EntityReference, _ log: borrowing LogSnapshot) throws -> Bool {
        try state.withLock { try Self.stands(hash, entity, &$0, log) }
    }

    /// When the file was exported of which the newest commit is, by the order of the merge, that is not wholly undone; nil if
    /// there is none, or its file does not say.
    func newestExportDate(_ log: borrowing LogSnapshot) throws -> Date? {
        try state.withLock { state in
            for (hash, commit) in state.commits.sorted(by: { $0.value.stamp > $1.value.stamp }) where commit.isOfFile {
                guard let stored = try log.commit(at: commit.position) else { continue }
                var entities: [EntityReference] = []
                stored.forEachEvent { event, _ in entities.append(event.entity) }
                if try entities.contains(where: { try Self.stands(hash, $0, &state, log) }) {
                    return ImportRun.exportDate(commit.run)
                }
            }
            return nil
        }
    }

    private static func stands(
        _ hash: Digest, _ entity: EntityReference, _ state: inout State, _ log: borrowing LogSnapshot
    ) throws -> Bool {
        guard let commit = state.commits[hash] else { return false }
        guard state.hasUndoings else { return true }
        let undone = try state.undone ?? Undone(UndoMarks(log), of: state.commits)
        state.undone = undone
        return !(undone.roots[commit.run] ?? []).contains { undone.marks.isUndone($0, entity) }
    }
}

/// Says of a commit that an import wrote it: its causation.
///
/// What a file says, and deletions of what it lacks, have marks of their own. Both name the file by the first 12 bytes of its
/// SHA-256. `LogFormat.md` specifies them: "What an import wrote".
package struct ImportMark: Hashable, Sendable {
    package enum Part: String, CaseIterable, Sendable {
        /// The mark of what the file says.
        case values = "FILE"
        /// Deletions of what the file lacks.
        case deletions = "MIRR"
        /// Days that follow those of what belongs to the entity, which no file says.
        case days = "DAYS"
    }

    /// The mark of days that follow others.
    static let days = ImportMark(.days, Array(repeating: 0, count: digestSize))

    private static let digestSize = 12

    package let part: Part
    private let file: [UInt8]

    private init(_ part: Part, _ file: [UInt8]) { (self.part, self.file) = (part, file) }

    package init(_ part: Part, of file: Digest) { self.init(part, Array(file.bytes.prefix(Self.digestSize))) }

    /// Nil if it is any other causation. What an erasure left of an import names no file.
    package init?(_ causation: UUID?) {
        if let part = RewriteMark.part(causation) {
            self.init(part, Array(repeating: 0, count: Self.digestSize))
            return
        }
        guard let bytes = causation?.bytes,
            let part = Part(rawValue: String(decoding: bytes.dropLast(Self.digestSize), as: UTF8.self))
        else { return nil }
        self.init(part, Array(bytes.suffix(Self.digestSize)))
    }

    package var causation: UUID { (Array(part.rawValue.utf8) + file).withUnsafeBytes { $0.uuid() } }
}

/// The correlation that the commits of one run of an import share.
///
/// It is a UUID of version 8 that begins with the time at which the file was exported, or any other if the file does not say when
/// that was, or the caller names the correlation.
package enum ImportRun {
    /// A correlation that no other run has.
    package static func correlation(exportedAt date: Date?) -> UUID {
        let random = UUID()
        guard let date, let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded(.down)),
            milliseconds > 0, milliseconds < 1 << 48
        else { return random }
        var bytes = Array(milliseconds.bigEndianBytes.suffix(6)) + random.bytes.suffix(10)
        bytes[6] = bytes[6] & 0x0F | 0x80
        return bytes.withUnsafeBytes { $0.uuid() }
    }

    /// When the file of a run was exported; nil if it does not say.
    package static func exportDate(_ correlation: UUID?) -> Date? {
        guard let bytes = correlation?.bytes, bytes[6] >> 4 == 8 else { return nil }
        let milliseconds = bytes.prefix(6).reduce(0 as Int64) { $0 << 8 | Int64($1) }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
