public import EventLog
import Events
import Foundation
import LMDB
import LMDBFormat
import Logging
import Platform

extension ProjectionGroup {
    /// The result of a rebuild.
    public struct RebuildReport: Sendable {
        public let commits: Int
        public let events: Int
        /// The log position up to which it read.
        public let position: Position
    }

    /// Rebuilds views beside the serving ones, and swaps. Appends and queries go on meanwhile.
    ///
    /// With `views` only those are computed from the log, and the others are copied as they are.
    ///
    /// Throws `StorageError`, `EventLogError`, `ProjectionError`, or `CancellationError` if the task is cancelled; the serving views
    /// are then unchanged, and what was built is removed.
    public func replace(
        views: Set<String>? = nil, _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) async throws -> RebuildReport {
        try await replace(views: views, mayBeDamaged: false, progress)
    }

    /// How often views are built one after the other because something was erased during each build.
    static let mostBuilds = 16

    /// The same, if the serving views may be damaged.
    func replace(
        views: Set<String>? = nil, mayBeDamaged: Bool, _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) async throws -> RebuildReport {
        var builds = 0
        while true {
            let (generation, report) = try await build(views, progress)
            builds += 1
            // An erasure during a build is no failure. After many the next update of the views goes on building.
            guard try swap(to: generation, mayBeDamaged: mayBeDamaged) || builds == Self.mostBuilds else { continue }
            // A new store has nothing to build, and nothing to log.
            logger.log(
                level: report.commits == 0 ? .debug : .info, "views were rebuilt",
                metadata: [
                    "group": "\(configuration.name)", "events": "\(report.events)", "commits": "\(report.commits)",
                ])
            return report
        }
    }

    /// Builds views in a folder of their own.
    private func build(
        _ views: Set<String>?, _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) async throws -> (Generation, RebuildReport) {
        let source = views == nil ? nil : slot.serving
        let wanted = try indexes(of: views)
        // Those that other apps have attached, too.
        var attached = (try? slot.read { try $0.attachedViews }) ?? AttachedViews(configuration.makeAttached)
        _ = attached.add(configuration.attached + attaching.demanded)
        let all = attached
        let path = configuration.path("\(configuration.fingerprint)-\(UUID().uuidString.prefix(8).lowercased())")
        return try await builder.run(unless: log.suspension) { [configuration, log] flag in
            do {
                let folder = try GenerationFolder(creating: path)
                try folder.markOpen()
                let builder = configuration.builder(wanted, attaching: all, progress, flag)
                let outcome = try builder.build(in: folder, from: log, takingOthersFrom: source)
                return (try configuration.open(folder, for: .serving), outcome)
            } catch {
                GenerationFolder.removeIfUnused(path)
                throw error
            }
        }
    }

    /// Builds views apart, in a folder that must be new or empty, without touching the serving ones, up to the position of those,
    /// and compares the two. The folder then holds the new views; if this throws, also because the task is cancelled, it is
    /// unchanged.
    public func buildApart(
        at path: String, views: Set<String>? = nil, _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) async throws -> (RebuildReport, [ViewComparison]) {
        let wanted = try indexes(of: views)
        let names = viewNames.filter { views?.contains($0) ?? true }
        return try await builder.run(unless: log.suspension) { [configuration, log, slot] flag in
            let (isThere, isEmpty) = GenerationFolder.state(of: path)
            guard isEmpty else {
                throw ProjectionError(
                    .failed, "\(path) is not an empty folder. Choose a new or an empty one for the views.")
            }
            do {
                let folder = try GenerationFolder(creating: path)
                // The log's read begins first, so views of later commits may be served: then once more.
                while true {
                    let outcome: (RebuildReport, [ViewComparison])? = try log.read { snapshot in
                        try slot.read(beside: snapshot) { serving in
                            guard try serving.position <= snapshot.lastPosition() else { return nil }
                            let attached = try serving.attachedViews
                            let builder = configuration.builder(wanted, attaching: attached, progress, flag)
                            let report = try builder.build(in: folder, from: snapshot, upTo: serving.position)
                            let generation = try configuration.open(folder, for: .serving)
                            let comparisons = try generation.environment.read { rebuilt in
                                try names.map { name in
                                    try flag.check()
                                    return try ViewComparison(name, serving, rebuilt, generation, configuration)
                                } + ViewComparison.ofAttached(serving, rebuilt, generation)
                            }
                            try generation.environment.sync()
                            return (report, comparisons)
                        }
                    }
                    if let outcome { return outcome }
                }
            } catch {
                GenerationFolder.empty(path, removingFolder: !isThere)
                throw error
            }
        }
    }

    private func indexes(of views: Set<String>?) throws -> Set<Int>? {
        guard let views else { return nil }
        for name in views { _ = try slot.read { try $0.rowCount(of: name) } }
        return Set(configuration.projections.indices.filter { views.contains(configuration.projections[$0].name) })
    }

    /// Begins a rebuild, unless one is in progress, or one failed a moment ago and none was requested.
    func beginRebuild(
        reason: String, isRequested: Bool = false, mayBeDamaged: Bool = false,
        _ progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) {
        guard rebuild == nil, !slot.isClosed, !log.suspension.isSet, isRequested || recentFailure == nil else { return }
        logger.debug("views are rebuilt", metadata: ["group": "\(configuration.name)", "reason": "\(reason)"])
        rebuild = Task {
            do {
                _ = try await replace(mayBeDamaged: mayBeDamaged) { [slot] in
                    if slot.serving == nil { slot.report($0) }
                    progress($0)
                }
                // For changes of another process right after the swap no rebuild was begun, because this one was in
                // progress.
                rebuild = nil
                applyPending()
            } catch let error as ProjectionError where error.code == .closed {
                rebuild = nil
                throw error
            } catch is CancellationError {
                // Only closing the group cancels it.
                rebuild = nil
                throw ProjectionError.closed
            } catch let error as StorageError where error.code == .suspended {
                // It begins anew when the group resumes.
                rebuild = nil
                throw error
            } catch {
                logger.error(
                    "the views could not be rebuilt", metadata: ["group": "\(configuration.name)", "error": "\(error)"])
                rebuild = nil
                // A failing projection stops the group until a retry is requested.
                if !(error is ProjectionFault) { delay.note(error, at: now, room: Folder.room(log.path)) }
                report(error)
                slot.report(nil)
                signal.raise()
                throw error
            }
        }
    }

    // MARK: Generations

    /// Replaces the serving generation by a finished one. Returns false if something was erased since that was begun: it serves
    /// all the same unless it lacks commits that queries have shown, so that erasures that never cease keep no views back.
    private func swap(to generation: Generation, mayBeDamaged: Bool) throws -> Bool {
        // The group was closed or suspended during the build. The next opening removes the result.
        if slot.isClosed { throw ProjectionError.closed }
        try slot.checkNotSuspended()
        var isCurrent = true
        // It is not synced: its folder is marked as written to, so that after a power cut it is rebuilt.
        do {
            try generation.applyPending(from: log) { _ in }
        } catch let error as ProjectionError where error.code == .outdated {
            isCurrent = false
            let position = { (views: Generation) in try views.environment.read { try views.checkpoint($0).position } }
            // The former one takes no more commits, so that the next build has them.
            let former = slot.serving.flatMap { try? position($0) } ?? .start
            guard try position(generation) >= former else { return false }
        }
        var previous = slot.serving
        // Atomically, so that of two concurrent builders each knows of the one before.
        let pointed = try log.exchangeViewNote(configuration.pointer, Array(generation.folder.name.utf8))
            .map { String(decoding: $0, as: UTF8.self) }
        slot.serve(generation)
        resume()
        // Another process may have written to the old one a moment longer.
        if isCurrent { applyPending() }
        if let previous { retire(previous, mayBeDamaged: mayBeDamaged) }
        if let pointed, pointed != previous?.folder.name, pointed != generation.folder.name { retire(pointed) }
        previous = nil
        signal.raise()
        removeUnused(but: generation.folder.name)
        return isCurrent
    }

    /// Makes users of a generation switch. Writing to damaged pages could end the process.
    private func retire(_ generation: Generation, mayBeDamaged: Bool) {
        guard !mayBeDamaged || (try? generation.environment.checkStructure())?.contains(where: \.isDangerous) == false
        else { return }
        try? generation.retire()
    }

    /// Makes users of a generation switch that another process had built concurrently.
    private func retire(_ name: String) {
        let path = configuration.path(name)
        // A generation that is not in use has no users to switch, and may be the one that was found damaged.
        guard let folder = GenerationFolder.joining(path) else { return }
        do {
            guard try !Environment.checkStructure(at: path).contains(where: \.isDangerous) else { return }
            let generation = try configuration.open(folder, for: .serving)
            try generation.retire()
        } catch {
            logger.warning("views could not be retired", metadata: ["path": "\(path)", "error": "\(error)"])
        }
    }

    /// Removes generations that earlier rebuilds, also interrupted ones, left behind and that are not in use; and those
    /// of other versions, once they are old.
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
