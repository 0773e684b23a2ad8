internal import CLMDB
import Foundation
import LMDBFormat
import Platform

/// Makes small commits durable by one synced write to a file beside the data file, instead of by the two syncs that LMDB
/// needs, for what it wrote and for the page that names it.
///
/// While it is enabled, LMDB does not sync. What keeps that safe:
///
/// - When it is enabled, the data file is synced, and the header of the write-ahead file names that snapshot, S.
/// - A read transaction on S is held, so that LMDB writes over none of its pages, which a power cut would otherwise leave
///   torn. So S is whole in the file whatever else was written to it, and when.
/// - Every transaction's changes are in the write-ahead file, synced, before LMDB commits it and anybody sees it.
///
/// After a power cut, or a process that was killed, whoever opens the environment alone takes it back to S, by the meta
/// pages in the header, and repeats the changes (`WriteAheadRecovery`). When the file is full the data file is synced and
/// S moves on. A transaction that is large, or does what cannot be repeated, disables it first, and is synced by LMDB.
///
/// Among processes LMDB's lock for writers decides. A writer that finds it enabled by another process, which may be
/// dead and hold S no longer, syncs the data file and disables it before it writes anything.
///
/// It belongs to who has the writers' turn of this process and, but for `release`, LMDB's lock for writers.
final class WriteAhead {
    /// So many small commits of this process in a row enable it: one that writes once and ends, or takes turns with another,
    /// gains nothing.
    private static let commitsBefore = 3
    /// Bytes of changes up to which a commit counts for that. An import begins with commits that would fit, and goes on with
    /// such as do not.
    private static let small = 16 << 10

    /// After how many commits it is tried again where there was no room for the file, or no reader's slot.
    private static let commitsBetweenTries = 1000

    private struct EnabledState {
        var generation: UInt64
        /// The transaction that the data file was synced with.
        var snapshot: OpaquePointer
        /// Where the next frame goes, and the checksum before it.
        var offset: Int
        var checksum: WriteAheadChecksum
        /// Where the frame of the transaction under way lies, or may lie, and the checksum before it.
        var uncommitted: (offset: Int, checksum: WriteAheadChecksum)?
    }

    let changes = RecordedChanges(reserving: WriteAheadFile.frameHead)
    let file: WriteAheadFile
    /// Whether commits are to be durable at all; if not, it only sees to what others enabled.
    private let mayEnable: Bool
    private let path: String
    private let handle: OpaquePointer
    private var enabled: EnabledState?
    /// Commits in a row, without another process's between.
    private var consecutiveCommits = 0
    /// The newest transaction, if it is one of ours that was recorded.
    private var lastTransaction: Int?
    /// Whether a header was written of which it is not known if the medium has it: what the file shows proves nothing then.
    private var isHeaderUncertain = false
    /// Commits so far, and how many they were when the idle timer was started; nil if it does not run.
    private var commitCount = 0
    private var commitCountAtTimerStart: Int?
    /// Why the data file could not be synced; from then on nothing is written.
    private var syncFailure: StorageError?
    private var nonceWriter = SnapshotIdentity.NonceWriter()
    /// Whether `begin` found it enabled by another process, which may be dead.
    private(set) var foundEnabledByOther = false
    /// Whether a frame of the transaction under way was written, or may have been.
    private var hasFrame = false
    /// Whether a header that says on, with such a frame, may be on the medium though the commit failed.
    private var isFirstFrameUncertain = false

    init(_ file: WriteAheadFile, mayEnable: Bool, path: String, handle: OpaquePointer) {
        self.file = file
        self.mayEnable = mayEnable
        self.path = path
        self.handle = handle
    }

    var isEnabled: Bool { enabled != nil }

    /// A write transaction has begun and has changed nothing yet.
    func begin(_ transaction: OpaquePointer) throws(StorageError) {
        if let syncFailure { throw syncFailure }
        changes.begin()
        (hasFrame, isFirstFrameUncertain, foundEnabledByOther) = (false, false, false)
        let isNext = Int(mdb_txn_id(transaction)) - 1 == lastTransaction
        let state = try file.readState()
        guard !state.syncFailed else { throw Self.lost(path, because: "a sync failed, in another process") }
        if enabled?.generation != state.generation || !state.isOn || isHeaderUncertain { releaseSnapshot() }
        if state.isOn && enabled == nil || isHeaderUncertain {
            foundEnabledByOther = state.isOn
            try syncDataFile()
            try writeHeader(.off(generation: state.generation &+ 1))
        }
        // Somebody wrote in between who knows nothing of this file: what is repeated would lack it.
        if !isNext { try disable() }
    }

    /// Gives the state that the transaction is about to make a nonce of its own; answers LMDB's number.
    func writeNonce(_ transaction: OpaquePointer) -> Int32 {
        guard mayEnable, changes.isReplayable, !changes.isEmpty else { return MDB_SUCCESS }
        return nonceWriter.write(transaction)
    }

    /// A write transaction is about to be committed, by LMDB without a sync if it is enabled afterwards.
    func prepareCommit(_ transaction: OpaquePointer) throws(StorageError) {
        // LMDB commits nothing either, then.
        if changes.isReplayable && changes.isEmpty { return }
        guard changes.isReplayable else { return try disable() }
        let previous = Int(mdb_txn_id(transaction)) - 1
        if enabled == nil {
            guard mayEnable, consecutiveCommits >= Self.commitsBefore, lastTransaction == previous else { return }
            return try enable(previous)
        }
        if let enabled, enabled.uncommitted != nil || enabled.offset + size > WriteAheadFile.size {
            try advance(previous)
        }
        guard let enabled else { return }
        try append(to: enabled, after: previous)
    }

    /// LMDB has committed the transaction.
    func concludeCommit(of number: Int) {
        guard changes.isReplayable else {
            // It may have changed nothing, and LMDB then gives its number to the next.
            lastTransaction = nil
            return
        }
        if changes.isEmpty { return }
        enabled?.uncommitted = nil
        if changes.count <= Self.small { consecutiveCommits += 1 } else if !isEnabled { consecutiveCommits = 0 }
        commitCount += 1
        lastTransaction = number
    }

    /// Starts the idle timer; false if it runs already, or nothing is enabled.
    func startIdleTimer() -> Bool {
        guard isEnabled, commitCountAtTimerStart == nil else { return false }
        commitCountAtTimerStart = commitCount
        return true
    }

    /// Whether nothing was committed since the idle timer was started. If so it is stopped, else begun anew.
    func stopIdleTimerIfIdle() -> Bool {
        let isIdle = commitCountAtTimerStart == commitCount || !isEnabled
        commitCountAtTimerStart = isIdle ? nil : commitCount
        return isIdle
    }

    /// Whether there is, or may be, the frame of a transaction that LMDB did not commit.
    var hasUncommittedFrame: Bool { enabled?.uncommitted != nil }

    /// Whether the transaction under way may come to be at the next opening though its commit failed.
    var isOutcomeUnknown: Bool { isFirstFrameUncertain || hasFrame && hasUncommittedFrame }

    /// Makes such a frame one that is not repeated. Inside a write transaction that has changed nothing; what goes wrong is
    /// left for the next commit, which begins the file anew.
    func discardUncommittedFrame() throws(StorageError) {
        guard var enabled, let (offset, checksum) = enabled.uncommitted else { return }
        // Another process has taken over meanwhile: the frame is not in force any more, and another's may lie there.
        guard try file.readState().generation == enabled.generation else { return releaseSnapshot() }
        try file.write([UInt8](repeating: 0, count: WriteAheadHeader.block), at: offset)
        enabled.offset = offset
        enabled.checksum = checksum
        enabled.uncommitted = nil
        self.enabled = enabled
    }

    /// Bytes of the frame that is to be written.
    private var size: Int { WriteAheadFrame.size(ofChanges: changes.count) }

    private func append(to enabled: EnabledState, after previous: Int, header: [UInt8] = []) throws(StorageError) {
        var enabled = enabled
        enabled.uncommitted = (enabled.offset, enabled.checksum)
        // Also when the write fails.
        defer { self.enabled = enabled }
        var checksum = enabled.checksum
        WriteAheadFrame.seal(
            changes, transaction: UInt(previous + 1), generation: enabled.generation, &checksum)
        hasFrame = true
        if !header.isEmpty { isHeaderUncertain = true }
        try file.write(header + changes.bytes, at: enabled.offset - header.count)
        isHeaderUncertain = false
        enabled.offset += changes.bytes.count
        enabled.checksum = checksum
    }

    private func enable(_ previous: Int) throws(StorageError) {
        // Without room for the file, or a reader's slot, commits go on as before; it is tried again in a while.
        consecutiveCommits = Self.commitsBefore - Self.commitsBetweenTries
        guard file.hasRoom, (try? file.makeWhole()) != nil else { return }
        var snapshot: OpaquePointer?
        guard mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &snapshot) == MDB_SUCCESS, let snapshot else { return }
        var generation: UInt64?
        do throws(StorageError) {
            guard let header = try nextHeader(previous) else {
                mdb_txn_abort(snapshot)
                return
            }
            try setSyncing(false)
            generation = header.generation
            let enabled = EnabledState(
                generation: header.generation, snapshot: snapshot, offset: WriteAheadHeader.block,
                checksum: WriteAheadChecksum(seed: header.salt))
            // In one write: a header without its frame takes nothing back.
            try append(to: enabled, after: previous, header: header.bytes)
            consecutiveCommits = Self.commitsBefore
        } catch {
            // The header and the frame may be there all the same. The data file is synced, so that off is right.
            if let generation { try? writeHeader(.off(generation: generation &+ 1)) }
            isFirstFrameUncertain = hasFrame && isHeaderUncertain
            enabled = nil
            mdb_txn_abort(snapshot)
            try? setSyncing(true)
            throw error
        }
    }

    /// Syncs the data file and begins the write-ahead file anew.
    private func advance(_ previous: Int) throws(StorageError) {
        try syncDataFile()
        guard var enabled, let header = try nextHeader(previous) else { return try disable() }
        // Of its own, for frames of before are needed until it is there.
        try writeHeader(header)
        // Until here the old snapshot was the one to go back to.
        mdb_txn_reset(enabled.snapshot)
        enabled.generation = header.generation
        enabled.offset = WriteAheadHeader.block
        enabled.checksum = WriteAheadChecksum(seed: header.salt)
        enabled.uncommitted = nil
        self.enabled = enabled
        if mdb_txn_renew(enabled.snapshot) != MDB_SUCCESS { try disable() }
    }

    /// Syncs the data file, and leaves the rest to LMDB until small commits come again.
    func disable() throws(StorageError) {
        consecutiveCommits = 0
        try checkpoint()
    }

    /// Syncs the data file and releases its snapshot. The next small commit enables it again.
    func checkpoint() throws(StorageError) {
        guard let enabled else { return }
        try syncDataFile()
        try writeHeader(.off(generation: enabled.generation &+ 1))
        releaseSnapshot()
    }

    /// Releases the snapshot. The data file is synced, or another process sees to it.
    private func releaseSnapshot() {
        guard let enabled else { return }
        mdb_txn_abort(enabled.snapshot)
        self.enabled = nil
        try? setSyncing(true)
    }

    /// The environment is about to be closed.
    func release() { releaseSnapshot() }

    private func nextHeader(_ previous: Int) throws(StorageError) -> WriteAheadHeader? {
        // Not by its path, for the file may have been moved.
        var descriptor: Int32 = -1
        guard mdb_env_get_fd(handle, &descriptor) == MDB_SUCCESS else { return nil }
        let file = DataFile(path: path + "/data.mdb", descriptor: descriptor)
        guard case .success(let pages?) = try file.readMetaPages(), pages.newest.transaction == UInt(previous) else {
            return nil
        }
        // A state without a nonce of its own cannot be told from others.
        guard lastTransaction == previous, let identity = try SnapshotIdentity(in: file, pages.newest) else {
            return nil
        }
        let bytes = [
            try file.bytes(MetaPage.size, at: 0), try file.bytes(MetaPage.size, at: pages.first.pageSize),
        ]
        return WriteAheadHeader(
            isOn: true, generation: try self.file.readState().generation &+ 1, salt: .random(in: 0...(.max)),
            pageSize: pages.first.pageSize, session: MountSession.name(of: descriptor, at: file.path),
            metaPages: bytes, identity: identity)
    }

    /// Writes a header of its own. If that fails, the next transaction begins with one that says off.
    private func writeHeader(_ header: WriteAheadHeader) throws(StorageError) {
        isHeaderUncertain = true
        try file.write(header.bytes, at: 0)
        isHeaderUncertain = false
    }

    private func setSyncing(_ isSyncing: Bool) throws(StorageError) {
        let number = mdb_env_set_flags(handle, UInt32(MDB_NOSYNC), isSyncing ? 0 : 1)
        guard number == MDB_SUCCESS else { throw StorageError(lmdb: number, "set up", path: path) }
    }

    private func syncDataFile() throws(StorageError) {
        var number = mdb_env_sync(handle, 1)
        #if canImport(Darwin)
            var descriptor: Int32 = -1
            if number == MDB_SUCCESS { number = mdb_env_get_fd(handle, &descriptor) }
            if number == MDB_SUCCESS { number = Medium.sync(descriptor) }
        #endif
        guard number == MDB_SUCCESS else {
            // A medium that failed once says nothing the second time, and has lost what it was to write; neither may another
            // process take its word.
            let error = Self.lost(path, because: String(cString: mdb_strerror(number)), number)
            syncFailure = error
            if var header = try? file.header(), header.isOn {
                header.syncFailed = true
                try? file.write(header.bytes, at: 0)
            }
            throw error
        }
    }

    private static func lost(_ path: String, because reason: String, _ number: Int32 = 0) -> StorageError {
        StorageError(
            .inputOutput,
            "\(path) could not be synced: \(reason). What was committed is safe; close the store in all programs, check the "
                + "medium, and open it again.", number: number)
    }
}
