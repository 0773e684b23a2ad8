import EventLog
import Foundation
import LMDB
import Platform
import ProjectionEngine

extension TripStore {
    /// Opens a store for reading, with views that show all that its log has. Nothing is written to the store except its
    /// recovery after a crash, and its views; if that cannot be written either, the missing parts are made in a
    /// temporary folder.
    static func openMaintainingViews(at folder: URL, _ layout: StoreLayout, _ options: Options) async throws
        -> TripStore
    {
        // The common case: nothing is missing. Opening views for writing changes their file.
        if let store = try await asFound(folder, layout, options) { return store }
        let opener = WorkerThread(name: "tripstore.opener")
        var prefersCopy = false
        do {
            let log = try await opener.run { try layout.openLog(options.forLog(viewNotes: .inLog)) }
            do {
                return try await showingAll(of: log, folder, layout, options, nil)
            } catch let error as StorageError where error.isAboutPlace {
                // The log is intact: only the views cannot be written.
            } catch let error as ProjectionError where error.code != .projectionFailed {}
        } catch let error as StorageError where error.isAboutPlace {
            // After an interrupted recovery the log may show less than what is in the write-ahead file.
            prefersCopy = error.code == .diskFull
        }
        let (log, scratch) = try await opener.run { [prefersCopy] in
            try layout.reading(prefersCopy: prefersCopy) { layout in
                try layout.openLog(options.forLog(isReadOnly: true, viewNotes: .inMemory))
            }
        }
        let place = try scratch ?? ScratchFolder()
        return try await showingAll(of: log, folder, place.layout, options, place)
    }

    /// A store with views in a layout, as soon as they show all of a log.
    private static func showingAll(
        of log: Log, _ folder: URL, _ layout: StoreLayout, _ options: Options, _ scratch: ScratchFolder?
    ) async throws -> TripStore {
        let store = try await make(at: folder, log, layout, options, scratch: scratch)
        guard options.waitsForViews else { return store }
        do { try await store.views.awaitPosition(log.read { try $0.lastPosition() }) } catch let error
            as ProjectionError
            where error.code == .projectionFailed
        {
            // A fault that stops a projection is reported in the status.
        }
        return store
    }

    /// A store in place, if its views show all of its log; they are then followed as other processes update them.
    private static func asFound(_ folder: URL, _ layout: StoreLayout, _ options: Options) async throws -> TripStore? {
        do {
            let opener = WorkerThread(name: "tripstore.opener")
            let log = try await opener.run { try layout.openLog(options.forLog(isReadOnly: true)) }
            let store = try await make(at: folder, log, layout, options, waitsForViews: false)
            guard try store.showsAll(store.views), try store.appGroup.map(store.showsAll) ?? true,
                try store.searchGroup.map(store.showsAll) ?? true
            else {
                return nil
            }
            return store
        } catch let error as StorageError where error.isAboutPlace {
            return nil
        } catch is ProjectionError {
            return nil
        }
    }

    /// Whether a group's views show everything that the log has.
    private func showsAll(_ group: ProjectionGroup) throws -> Bool {
        let end = try log.read { try $0.lastPosition() }
        return try group.isServing && group.read { $0.position } >= end
    }
}

extension StoreLayout {
    func openLog(_ options: Log.Options) throws -> Log { try Log.open(at: log, keyPath: key, options: options) }

    /// Runs `open` on the log where it lies or, where it cannot be read there, on a copy of it, which is repaired first and goes
    /// with the folder that is returned. Waits.
    ///
    /// Throws `StorageError`: `.alreadyOpen` if it cannot be copied either, for a program has it open or that cannot be found
    /// out; `.notPermitted`; `.diskFull`; and what `open` throws.
    func reading<T>(
        prefersCopy: Bool = false, _ open: (StoreLayout) throws -> T
    ) throws -> (T, ScratchFolder?) {
        func copied() throws -> (T, ScratchFolder?) {
            let scratch = try ScratchFolder()
            try Environment.copyClosed(from: log, to: scratch.layout.log)
            return (try open(scratch.layout), scratch)
        }
        if prefersCopy {
            // A process that has it open has recovered it.
            do { return try copied() } catch let error as StorageError where error.isAboutPlace {
                return (try open(self), nil)
            }
        }
        do { return (try open(self), nil) } catch let error as StorageError where error.isAboutPlace {
            return try copied()
        }
    }
}

extension TripStore {
    /// Whether an error means that a store cannot be written to in its folder; it may still be readable.
    package static func isUnwritable(_ error: any Error) -> Bool {
        let cause = (error as? TripStoreError)?.cause ?? error
        guard let error = cause as? StorageError else { return false }
        return error.code == .notPermitted || error.code == .diskFull
    }
}

extension StorageError {
    /// Whether the location of an environment is at fault, not its content: it cannot be written to, or not in this
    /// way.
    var isAboutPlace: Bool { [.notPermitted, .diskFull, .alreadyOpen].contains(code) }
}
