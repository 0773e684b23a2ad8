import EventLog
public import Foundation
import ProjectionEngine
import Trips

extension TripStore {
    /// Looks for what is wrong or odd in the store of a folder. It only reads, but for the recovery of the log after a crash.
    ///
    /// A check that fails is a finding, and the others go on; so is a store that cannot be opened. Throws `TripStoreError.Code.noStore` if there
    /// is none, and what `checkAccessible` throws. O(log, bytes of attachments), or O(entities) without `verifiesBytes`.
    public static func diagnose(
        at folder: URL, opening options: Options = Options(),
        _ diagnosis: StoreDiagnosis.Options = StoreDiagnosis.Options()
    ) async throws -> StoreDiagnosis {
        try await withTaskExecutorPreference(ThreadExecutor(name: DiagnosisRun.thread)) {
            try await diagnosing(folder, opening: options, diagnosis)
        }
    }

    private static func diagnosing(
        _ folder: URL, opening options: Options, _ diagnosis: StoreDiagnosis.Options
    ) async throws -> StoreDiagnosis {
        try checkAccessible(folder)
        var run = DiagnosisRun(diagnosis)
        guard exists(at: folder) else {
            do { try checkNotLost(at: folder, options.dependencies) } catch {
                run.add(.cannotOpen, TripStoreError.words(error))
                return run.finish(at: nil)
            }
            throw TripStoreError(.noStore, "There is no store at \(folder.path). Check the path.")
        }
        run.checkFiles(of: folder)
        if diagnosis.verifiesBytes { await run.checkLog(at: folder) }
        var options = options
        options.access = .readOnly
        options.waitsForViews = false
        options.author = ""
        options.deviceName = ""
        let store: TripStore
        do {
            var found = try await open(at: folder, options: options)
            if found.scratch != nil {
                // Views that this user cannot open are made beside the copy of the log.
                await found.close()
                options.access = .readOnlyBuildingViews
                found = try await open(at: folder, options: options)
            }
            store = found
        } catch {
            run.add(.cannotOpen, "The store cannot be opened: \(TripStoreError.words(error))")
            return run.finish(at: nil)
        }
        await run.check(store)
        let position = try? store.readLog { try $0.lastPosition() }
        await store.close()
        return run.finish(at: position)
    }

    /// Looks for what is wrong or odd in an open store, without its folder's files and the structure of its log.
    public func diagnose(_ options: StoreDiagnosis.Options = StoreDiagnosis.Options()) async -> StoreDiagnosis {
        await withTaskExecutorPreference(ThreadExecutor(name: DiagnosisRun.thread)) {
            var run = DiagnosisRun(options)
            await run.check(self)
            return run.finish(at: try? readLog { try $0.lastPosition() })
        }
    }
}

extension DiagnosisRun {
    /// Its checks read whole files.
    fileprivate static let thread = "tripstore.doctor"

    fileprivate mutating func check(_ store: TripStore) async {
        checkReplicas(of: store)
        checkMembers(of: store)
        guard checkViews(of: store) else { return }
        checkEntities(of: store)
        await checkAttachments(of: store)
    }
}
