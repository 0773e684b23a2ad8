public import EventLog
import Events
public import Foundation
import LMDB
public import LogExchange

extension TripStore {
    /// Makes a new store that holds what another one does, in a folder that is new or empty, as a replica of its own.
    ///
    /// A clone that failed or was killed is gone on with by the same call: what came whole stays, and so does what was
    /// written to the store meanwhile. See `isUnfinishedClone(at:)`.
    ///
    /// It becomes a member with a role at once, where the other is a folder or a store of this process and an admin's; else what is
    /// written to it counts there alone until an admin grants: see `standing`.
    ///
    /// Throws like `open` and `exchange`; `TripStoreError.Code.unusableOption` for `Options.journal`, which is the other's, and if it is
    /// to be opened for reading alone; `TripStoreError.Code.notAStore` if the folder holds a store that is complete, or
    /// something else; `TripStoreError.Code.otherJournal` if it holds an unfinished clone of another journal.
    public static func clone(
        _ target: ExchangeTarget, to folder: URL, as role: MemberRole = .write, options: Options = Options(),
        progress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) async throws -> (store: TripStore, report: ExchangeReport) {
        try options.checkForClone()
        return try await TripStoreError.wrapAsync {
            try await cloned(target, to: folder, as: role, options: options, progress: progress)
        }
    }

    private static func cloned(
        _ target: ExchangeTarget, to folder: URL, as role: MemberRole, options: Options,
        progress: @escaping @Sendable (ExchangeProgress) -> Void
    ) async throws -> (store: TripStore, report: ExchangeReport) {
        let unfinished = UnfinishedClone(in: folder)
        let goesOn = unfinished.isThere
        if exists(at: folder) && !goesOn {
            throw TripStoreError(
                .notAStore, "There is a store at \(folder.path) already. Exchange with it, or choose another folder.")
        }
        // The other is read first, so that a wrong path leaves no empty store behind.
        let journal = try await journal(of: target)
        if goesOn, let begun = unfinished.journal, let journal, begun != journal {
            throw otherJournal(folder, begun, unfinished.source, target, journal)
        }
        let wasThere = FileManager.default.fileExists(atPath: folder.path)
        try await WorkerThread(name: "tripstore.opener").run {
            if goesOn { return }
            try StoreLayout(folder).check(isReadOnly: false)
            try unfinished.lay(journal, from: target.words)
        }
        let store = try await openClone(at: folder, of: journal, target, options)
        do {
            let report = try await store.exchange(with: target, as: role, progress: progress)
            try await store.log.worker.run { try unfinished.remove() }
            return (store, report)
        } catch {
            await store.close()
            // A store without commits is useless, and would prevent other uses of the folder.
            if !goesOn, (try? store.log.isEmpty()) == true { StoreLayout(folder).remove(keepsFolder: wasThere) }
            throw error
        }
    }

    /// Whether a clone into a folder was begun and not finished: cloning again resumes it. It may be opened and written
    /// to like any store, if the store was created already.
    package static func isUnfinishedClone(at folder: URL) -> Bool { UnfinishedClone(in: folder).isThere }

    private static func openClone(
        at folder: URL, of journal: JournalID?, _ target: ExchangeTarget, _ options: Options
    ) async throws -> TripStore {
        var options = options
        if let journal {
            // An existing store has a journal, perhaps one from before it met the other.
            options.journal = exists(at: folder) ? nil : journal
        }
        let store = try await open(at: folder, options: options)
        guard let journal, store.journal != journal else { return store }
        do {
            guard try store.log.isEmpty() else {
                throw otherJournal(folder, store.journal, UnfinishedClone(in: folder).source, target, journal)
            }
            try await store.log.join(journal)
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    private static func otherJournal(
        _ folder: URL, _ begun: JournalID, _ source: String, _ target: ExchangeTarget, _ journal: JournalID
    ) -> TripStoreError {
        TripStoreError(
            .otherJournal,
            "\(folder.path) holds an unfinished clone of the journal \(begun)\(source.isEmpty ? "" : ", from \(source),") and "
                + "\(target.words) belongs to the journal \(journal). Clone into another folder, go on with the first, "
                + "or remove \(folder.path) if nothing in it is needed.")
    }

    /// The journal that a clone will share, even if the other is empty and cannot be joined yet; nil if only an
    /// exchange can tell.
    private static func journal(of target: ExchangeTarget) async throws -> JournalID? {
        switch target {
        case .folder(let folder):
            guard exists(at: folder) else {
                throw TripStoreError(.notAStore, "There is no store at \(folder.path). Check the path.")
            }
            let layout = StoreLayout(folder)
            return try await WorkerThread(name: "tripstore.opener").run {
                let options = Log.Options(environment: Environment.Options(.reading))
                let (log, scratch) = try layout.reading { try $0.openLog(options) }
                return withExtendedLifetime(scratch) { log.journal }
            }
        case .bundle(let file): return try await summary(ofBundle: file).header.frontier.journal
        case .store(let store): return store.journal
        case .connector(let connector): return connector.journal
        case .peer: return nil
        }
    }
}

extension ExchangeTarget {
    /// For messages, and for the note of a clone.
    var words: String {
        switch self {
        case .folder(let folder): folder.path
        case .bundle(let file): file.path
        case .store(let store): store.folder.path
        case .connector(let connector): connector.address
        case .peer: "another replica"
        }
    }
}

extension TripStore.Options {
    fileprivate func checkForClone() throws(TripStoreError) {
        if isReadOnly {
            throw TripStoreError(
                .unusableOption,
                "A clone is written, and the options say that the store is for reading alone. Clone with 'access' left out, and "
                    + "open the clone for reading afterwards.")
        }
        if let journal {
            throw TripStoreError(
                .unusableOption,
                "A clone belongs to the journal of the store that it is made from, and the option 'journal' names \(journal). "
                    + "Leave it out.")
        }
    }
}

extension StoreLayout {
    /// Removes the files of a new store, and the note of a clone.
    fileprivate func remove(keepsFolder: Bool) {
        let note = folder + "/" + UnfinishedClone.fileName
        for path in keepsFolder ? [log, views, subscriptions, key, note] : [folder] {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
