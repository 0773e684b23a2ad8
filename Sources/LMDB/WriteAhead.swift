import Foundation
import LMDBFormat
internal import LMDBLibrary
import Platform

/// Makes small commits durable by one synced write to a file beside the data file, instead of the two syncs that LMDB
/// needs: one for the pages it wrote, one for the meta page that names them.
///
/// While it is enabled, LMDB does not sync. What keeps that safe:
///
/// - On enabling, the data file is synced, and the header of the write-ahead file names that snapshot, S.
/// - A read transaction on S is held, so that LMDB overwrites none of its pages; a power cut could tear overwritten
///   pages. So S stays intact in the file, whatever else is written to it.
/// - Every transaction's changes are in the write-ahead file, synced, before LMDB commits it and any reader sees it.
///
/// After a power cut or a killed process, the first process to open the environment alone restores S from the meta
/// pages in the header, and repeats the changes (`WriteAheadRecovery`). When the file is full, the data file is synced
/// and S advances. A transaction that is large, or makes changes that cannot be repeated, disables it first, and is
/// synced by LMDB.
///
/// Among processes LMDB's writer lock decides. A writer that finds it enabled by another process, which may be dead and
/// hold S no longer, syncs the data file and disables it before it writes anything.
///
/// Guarded by the writer turn of this process and, but for `release`, by LMDB's writer lock.
final class WriteAhead {
    /// Consecutive small commits of this process that enable it. A process that writes once and ends, or alternates
    /// with another, gains nothing.
    private static let commitsBefore = 3
    /// Bytes of changes up to which a commit counts as small. Of an import only the first commits are that small.
    private static let small = 16 << 10

    /// Commits until the next attempt, after there was no room for the file or no reader slot.
    private static let commitsBetweenTries = 1000

    private struct EnabledState {
        var generation: UInt64
        /// Held on the state that the data file was last synced with.
        var snapshot: OpaquePointer
        /// The offset of the next frame, and the checksum before it.
        var offset: Int
        var checksum: WriteAheadChecksum
        /// The offset of the current transaction's frame, written or perhaps written, and the checksum before it.
        var uncommitted: (offset: Int, checksum: WriteAheadChecksum)?
    }

    let changes = RecordedChanges(reserving: WriteAheadFile.frameHead)
    let file: WriteAheadFile
    /// Whether commits must be durable at all; if not, it only handles what other processes enabled.
    private let mayEnable: Bool
    let path: String
    let handle: OpaquePointer
    private var enabled: EnabledState?
    /// Consecutive commits of this process, without another process's in between.
    private var consecutiveCommits = 0
    /// The newest transaction, if this process made and recorded it.
    private(set) var lastTransaction: Int?
    /// Whether a header was written that may or may not be on the medium: then the file's content proves nothing.
    private var isHeaderUncertain = false
    /// Commits so far, and the count when the idle timer was started; nil if it is not running.
    private var commitCount = 0
    private var commitCountAtTimerStart: Int?
    /// Why syncing the data file failed; from then on nothing is written.
    var syncFailure: StorageError?
    private var nonceWriter = SnapshotIdentity.NonceWriter()
    /// Whether `begin` found it enabled by another process, which may be dead.
    private(set) var foundEnabledByOther = false
    /// Whether a frame of the current transaction was written, or may have been.
    private var hasFrame = false
    /// Whether an enabling header with such a frame may be on the medium although the commit failed.
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
        if enabled?.generation != state.generation || !state.isEnabled || isHeaderUncertain { releaseSnapshot() }
        if state.isEnabled && enabled == nil || isHeaderUncertain {
            foundEnabledByOther = state.isEnabled
            try syncDataFile()
            try writeHeader(.disabled(generation: state.generation &+ 1))
        }
        // A process that does not know this file wrote in between: repeating the frames would lack its changes.
        if !isNext { try disable() }
    }

    /// Gives the state that the transaction is about to make its own nonce; returns LMDB's number.
    func writeNonce(_ transaction: OpaquePointer) -> Int32 {
        guard mayEnable, changes.isReplayable, !changes.isEmpty else { return MDB_SUCCESS }
        return nonceWriter.write(transaction)
    }

    /// A write transaction is about to be committed; LMDB does not sync it if this is enabled afterwards.
    func prepareCommit(_ transaction: OpaquePointer) throws(StorageError) {
        // In that case LMDB commits nothing either.
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

    /// Starts the idle timer; returns false if it is running already, or nothing is enabled.
    func startIdleTimer() -> Bool {
        guard isEnabled, commitCountAtTimerStart == nil else { return false }
        commitCountAtTimerStart = commitCount
        return true
    }

    /// Whether nothing was committed since the idle timer was started. If so, stops it; otherwise restarts it.
    func stopIdleTimerIfIdle() -> Bool {
        let isIdle = commitCountAtTimerStart == commitCount || !isEnabled
        commitCountAtTimerStart = isIdle ? nil : commitCount
        return isIdle
    }

    /// Whether the frame of a transaction that LMDB did not commit is, or may be, in the file.
    var hasUncommittedFrame: Bool { enabled?.uncommitted != nil }

    /// Whether recovery may yet apply the current transaction although its commit failed.
    var isOutcomeUnknown: Bool { isFirstFrameUncertain || hasFrame && hasUncommittedFrame }

    /// Invalidates such a frame, so that recovery does not repeat it. Inside a write transaction that has changed
    /// nothing; after a failure the next commit starts the file over.
    func discardUncommittedFrame() throws(StorageError) {
        guard var enabled, let (offset, checksum) = enabled.uncommitted else { return }
        // Another process has taken over meanwhile: the frame is no longer valid, and another's may lie there.
        guard try file.readState().generation == enabled.generation else { return releaseSnapshot() }
        try file.write([UInt8](repeating: 0, count: WriteAheadHeader.block), at: offset)
        enabled.offset = offset
        enabled.checksum = checksum
        enabled.uncommitted = nil
        self.enabled = enabled
    }

    /// Bytes of the next frame.
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
        // Without room for the file, or a reader slot, commits go on as before; a later one tries again.
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
            // In one write: a header without its frame would roll nothing back.
            try append(to: enabled, after: previous, header: header.bytes)
            consecutiveCommits = Self.commitsBefore
        } catch {
            // The header and the frame may be there all the same. The data file is synced, so disabling is right.
            if let generation { try? writeHeader(.disabled(generation: generation &+ 1)) }
            isFirstFrameUncertain = hasFrame && isHeaderUncertain
            enabled = nil
            mdb_txn_abort(snapshot)
            try? setSyncing(true)
            throw error
        }
    }

    /// Syncs the data file and restarts the write-ahead file.
    private func advance(_ previous: Int) throws(StorageError) {
        try syncDataFile()
        guard var enabled, let header = try nextHeader(previous) else { return try disable() }
        // In a write of its own: recovery needs the earlier frames until it is durable.
        try writeHeader(header)
        // Until here recovery would go back to the old snapshot.
        mdb_txn_reset(enabled.snapshot)
        enabled.generation = header.generation
        enabled.offset = WriteAheadHeader.block
        enabled.checksum = WriteAheadChecksum(seed: header.salt)
        enabled.uncommitted = nil
        self.enabled = enabled
        if mdb_txn_renew(enabled.snapshot) != MDB_SUCCESS { try disable() }
    }

    /// Syncs the data file, and leaves syncing to LMDB until enough small commits follow.
    func disable() throws(StorageError) {
        consecutiveCommits = 0
        try checkpoint()
    }

    /// Syncs the data file and releases its snapshot. The next small commit enables it again.
    func checkpoint() throws(StorageError) {
        guard let enabled else { return }
        try syncDataFile()
        try writeHeader(.disabled(generation: enabled.generation &+ 1))
        releaseSnapshot()
    }

    /// Releases the snapshot. The data file is synced, or another process will sync it.
    private func releaseSnapshot() {
        guard let enabled else { return }
        mdb_txn_abort(enabled.snapshot)
        self.enabled = nil
        try? setSyncing(true)
    }

    /// The environment is about to close.
    func release() { releaseSnapshot() }

    /// Writes a header of its own. If that fails, the next transaction begins with a disabling header.
    private func writeHeader(_ header: WriteAheadHeader) throws(StorageError) {
        isHeaderUncertain = true
        try file.write(header.bytes, at: 0)
        isHeaderUncertain = false
    }
}
