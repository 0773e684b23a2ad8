internal import CLMDB
import Foundation
import Synchronization

extension Environment {
    /// From how little room on more is made, and how much at least and at most, in bytes.
    private static let leastRoom = 32 << 10
    private static let roomMade = 256 << 10...1 << 20
    /// Transactions that take more than this on average gain nothing: to write twice takes longer than what it spares.
    private static let mostTaken = 64 << 10

    /// Writes zeros to the end of the file if the next small transactions would extend it, and syncs them. They overwrite
    /// instead then, which on ext4 syncs quicker: what extends a file commits the journal as well.
    ///
    /// For when nobody waits for a commit. Waits for the writer lock and, every now and then, for the medium. What goes
    /// wrong is left for the next commit to say. On a full disk it is tried again after each commit, which fails at once.
    public func makeRoom() {
        guard keepsRoom, let information = try? information() else { return }
        let (used, transactions) = (information.usedSize, information.lastTransaction)
        let (before, earlier) = room.withLock { $0 }
        guard transactions > earlier else { return }
        room.withLock { $0 = (used, transactions) }
        let taken = max(0, used - before) / (transactions - earlier)
        // What the first transactions here took is not known.
        guard before > 0, taken > 0, taken <= Self.mostTaken else { return }
        let wanted = used + min(max(used / 64, Self.roomMade.lowerBound), Self.roomMade.upperBound)
        guard wanted <= information.mapSize, let descriptor = try? fileDescriptor(),
            (try? extend(descriptor, from: used + Self.leastRoom, upTo: wanted / pageSize * pageSize)) == true
        else { return }
        // Else the next commit would have to; the lock is not needed for it.
        fsync(descriptor)
    }

    /// Writes zeros from the end of a file that is shorter than one size up to another; answers whether it did.
    private func extend(_ descriptor: Int32, from least: Int, upTo end: Int) throws -> Bool {
        guard Self.size(of: descriptor) < least else { return false }
        try checkNotForked()
        try gate.enterWriting()
        defer { gate.leaveWriting() }
        // With the lock nobody else, in no process, writes to the file.
        let raw = try beginWriting("write to")
        defer { mdb_txn_abort(raw) }
        // Beyond the end of the file, where no page has ever been written.
        var place = Self.size(of: descriptor)
        guard place > 0, place < least else { return false }
        let zeros = [UInt8](repeating: 0, count: 64 << 10)
        while place < end {
            let written = pwrite(descriptor, zeros, min(zeros.count, end - place), off_t(place))
            guard written > 0 else { return false }
            place += written
        }
        return true
    }

    private static func size(of descriptor: Int32) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }
}
