public import EventLog
import Events
import Foundation
import LMDB
import LMDBFormat
import Logging

extension ProjectionGroup {
    /// What a rebuild came to.
    public struct RebuildReport: Sendable {
        public let commits: Int
        public let events: Int
        /// How far the log had been read.
        public let position: Position
    }

    /// Builds views anew beside the serving ones, and swaps. Appends and queries go on meanwhile.
    ///
    /// With `views` only those are computed from the log, and the others are taken over as they stand.
    ///
    /// Throws `StorageError`, `EventLogError` or `ProjectionError`; the serving views are then as they were.
    public func replace(
        views: Set<String>? = nil, _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) async throws -> RebuildReport {
        try await replace(views: views, mayBeDamaged: false, progress)
    }

    /// The same, where the serving views may be damaged.
    func replace(
        views: Set<String>? = nil, mayBeDamaged: Bool, _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) async throws -> RebuildReport {
        var attempt = 1
        let outcome: RebuildReport
        while true {
            let (generation, built) = try await build(views, progress)
            do {
                try swap(to: generation, mayBeDamaged: mayBeDamaged)
                outcome = built
                break
            } catch let error as ProjectionError where error.code == .outdated && attempt < Self.mostAttempts {
                // Something was erased while it was read. What was built is removed with the folders that nobody uses.
                attempt += 1
            }
        }
        // A new store has nothing to build, and nothing to tell.
        logger.log(
            level: outcome.commits == 0 ? .debug : .info, "views were rebuilt",
            metadata: [
                "group": "\(configuration.name)", "events": "\(outcome.events)", "commits": "\(outcome.commits)",
            ])
        return outcome
    }

    /// How often views are built where something is erased meanwhile each time.
    static let mostAttempts = 8

    /// Builds views in a folder of their own.
    private func build(
        _ views: Set<String>?, _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) async throws -> (Generation, RebuildReport) {
        let source = views == nil ? nil : slot.serving
        let wanted = try places(of: views)
        let path = configuration.path("\(configuration.fingerprint)-\(UUID().uuidString.prefix(8).lowercased())")
        return try await builder.run { [configuration, log] in
            do {
                let folder = try GenerationFolder(creating: path)
                try folder.markOpen()
                let builder = Builder(projections: configuration.projections, wanted: wanted, progress: progress)
                let outcome = try builder.build(in: folder, from: log, takingOthersFrom: source)
                return (try configuration.open(folder, for: .serving), outcome)
            } catch {
                GenerationFolder.removeIfUnused(path)
                throw error
            }
        }
    }

    /// Builds views apart, in a folder that must be new or empty, without touching the serving ones, up to the
    /// position at which those stand; hands both to `body` and leaves the folder as it is.
    public func buildApart(
        at path: String, views: Set<String>? = nil, _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) async throws -> (RebuildReport, [ViewComparison]) {
        let wanted = try places(of: views)
        let names = viewNames.filter { views?.contains($0) ?? true }
        return try await builder.run { [configuration, log, slot] in
            let folder = try GenerationFolder(creating: path)
            let builder = Builder(projections: configuration.projections, wanted: wanted, progress: progress)
            return try slot.read { serving in
                let report = try builder.build(in: folder, from: log, upTo: serving.position)
                let generation = try configuration.open(folder, for: .serving)
                let comparisons = try generation.environment.read { rebuilt in
                    try names.map { try ViewComparison($0, serving, rebuilt, generation, configuration) }
                }
                try generation.environment.sync()
                return (report, comparisons)
            }
        }
    }

    private func places(of views: Set<String>?) throws -> Set<Int>? {
        guard let views else { return nil }
        for name in views { _ = try slot.read { try $0.rowCount(of: name) } }
        return Set(configuration.projections.indices.filter { views.contains(configuration.projections[$0].name) })
    }

    // MARK: Generations

    /// Puts a finished generation in the place of the one that serves.
    func swap(to generation: Generation, mayBeDamaged: Bool) throws {
        // What it was built for is over. The next opening removes it.
        if slot.isClosed { throw ProjectionError.closed }
        // It is not synced: its folder is marked as written to, so that after a power cut it is built anew.
        try generation.applyPending(from: log, projections: configuration.projections) { _ in }
        var previous = slot.serving
        // In one step, so that of two who built at the same time each knows of the one before.
        let pointed = try log.exchangeViewNote(configuration.pointer, Array(generation.folder.name.utf8))
            .map { String(decoding: $0, as: UTF8.self) }
        slot.serve(generation)
        resume()
        // Another process may have gone on with the old one a moment longer.
        applyPending()
        if let previous { retire(previous, mayBeDamaged: mayBeDamaged) }
        if let pointed, pointed != previous?.folder.name, pointed != generation.folder.name { retire(pointed) }
        previous = nil
        signal.raise()
        removeUnused(but: generation.folder.name)
    }

    /// Sends those on who use a generation. To write to damaged pages could end the process.
    private func retire(_ generation: Generation, mayBeDamaged: Bool) {
        guard !mayBeDamaged || (try? generation.environment.checkStructure())?.contains(where: \.isDangerous) == false
        else { return }
        try? generation.retire()
    }

    /// Sends those on who use a generation that another process had built at the same time.
    private func retire(_ name: String) {
        let path = configuration.path(name)
        // What nobody has open is nobody to be sent on from, and may be what was found to be damaged.
        guard let folder = GenerationFolder.joining(path) else { return }
        do {
            guard try !Environment.checkStructure(at: path).contains(where: \.isDangerous) else { return }
            let generation = try configuration.open(folder, for: .serving)
            try generation.retire()
        } catch {
            logger.warning("views could not be retired", metadata: ["path": "\(path)", "error": "\(error)"])
        }
    }

    /// Removes what earlier rebuilds, also those that were cut off, left behind and nobody uses; and what other
    /// versions left, once it is old.
    func removeUnused(but serving: String) {
        builder.perform { [configuration] in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: configuration.folder)) ?? []
            for name in names where name != serving {
                let path = configuration.path(name)
                if name.hasPrefix(configuration.fingerprint) || GenerationFolder.isForgotten(path) {
                    GenerationFolder.removeIfUnused(path)
                }
            }
        }
    }
}
