import Events
import LMDB
import Platform

/// Rewrites a log's file after bytes of commits were removed from it: LMDB keeps them in free pages, and in the free
/// room of others.
///
/// The note of a part says that it may still hold erased bytes. A transaction that removes bytes leaves that of the
/// log. An opening for writing that finds it, while no other process has the log open, rewrites the file; the new one
/// lacks this note, and has those of the other parts, which others do when they can: they lie beside the log and may be
/// in use.
enum LogScrub {
    /// Opens a log's environment for writing, after a rewrite of its file if one is owed; with why that failed, if it
    /// did: then the log is as it was, and the next opening tries again.
    static func open(
        at folder: String, _ options: Log.Options
    ) throws -> (environment: Environment, failure: (any Error)?) {
        if let environment = try openUnlessOwed(at: folder, options) { return (environment, nil) }
        var failure: (any Error)?
        do { try run(at: folder, options.dependencies) } catch { failure = error }
        return (try Environment.open(at: folder, options: options.environment), failure)
    }

    /// Nil if a rewrite is owed: then the environment is closed again.
    private static func openUnlessOwed(at folder: String, _ options: Log.Options) throws -> Environment? {
        let environment = try Environment.open(at: folder, options: options.environment)
        return try isOwed(in: environment) ? nil : environment
    }

    private static func isOwed(in environment: Environment) throws -> Bool {
        guard try environment.hasEntries() else { return false }
        do {
            let meta = try environment.tables(["meta"], creating: false)[0]
            return try environment.read { try $0.get(ScrubPart.log.key, in: meta) != nil }
        } catch let error as StorageError where error.code == .missing {
            return false
        }
    }

    /// Rewrites the file of a closed log; returns whether it did. It stays the same log: `place` names the new file if
    /// it named the old one.
    @discardableResult
    static func run(
        at folder: String, _ dependencies: Dependencies,
        step: @escaping (Environment.RewriteStep) throws -> Void = { _ in }
    ) throws -> Bool {
        let isRewritten = try Environment.rewrite(at: folder, step: step) { copy in
            let meta = try copy.tables(["meta"], creating: false)[0]
            let old = dependencies.fileOrigin(folder + "/data.mdb")
            let new = dependencies.fileOrigin(copy.path + "/data.mdb")
            let time = UInt64(bitPattern: dependencies.now()).bigEndianBytes
            try copy.write { transaction in
                let held = try transaction.reading.get(MetaKey.place, in: meta).flatMap { StoreOrigin([UInt8]($0)) }
                // Otherwise the log is a copy, which its opening finds out.
                if var place = held, let old, place.mark == old {
                    place.mark = new
                    try transaction.put(MetaKey.place, place.encoded(), in: meta)
                }
                try transaction.delete(ScrubPart.log.key, in: meta)
                for part in [ScrubPart.views, .contents] { try transaction.put(part.key, time, in: meta) }
            }
        }
        // The structure was checked before the file was put in its place.
        if isRewritten { LogStructure.note(at: folder) }
        return isRewritten
    }
}

/// A part of a store that may hold bytes of commits after these were erased.
package enum ScrubPart: String, CaseIterable, Sendable {
    /// The log's own file.
    case log
    /// Views of every kind, and copies for reading.
    case views
    /// The bytes of attachments.
    case contents

    fileprivate var note: String { "scrub/\(rawValue)" }

    /// The key of its note.
    var key: [UInt8] { Log.noteKey(note) }
}

extension Log {
    /// The parts of the store in which bytes may be left that were erased: the next opening for writing without other
    /// processes rewrites the log, and then the others follow.
    package func owedScrubs() throws -> Set<ScrubPart> {
        try read { log in Set(try ScrubPart.allCases.filter { try log.meta($0.key) != nil }) }
    }

    /// When the log was rewritten, in milliseconds since 1970, if a part beside it may have bytes of before that are
    /// gone from the log; nil if it has none. No process had the log open then.
    package func scrubTime(of part: ScrubPart) throws -> Int64? {
        guard let bytes = try read({ try $0.meta(part.key) }), bytes.count == 8 else { return nil }
        return bytes.withUnsafeBytes { Int64(bitPattern: $0.bigEndian(UInt64.self)) }
    }

    /// Notes that a part beside the log has no bytes left of before a time. Blocks.
    package func noteScrubbed(_ part: ScrubPart, upTo time: Int64) throws {
        try environment.write { transaction in
            let owed = try transaction.reading.get(part.key, in: tables.meta).map { [UInt8]($0) }
            // Another process may have rewritten the log since.
            guard owed == UInt64(bitPattern: time).bigEndianBytes else { return }
            try transaction.delete(part.key, in: tables.meta)
        }
    }
}
