import Foundation
internal import LMDBLibrary
public import Platform

extension Environment {
    /// Write transactions between two checks for reader slots of dead processes.
    static let writesBetweenReaderChecks = 256

    /// Frees the reader slots of dead processes; returns how many.
    ///
    /// LMDB takes a process for dead that has no `fcntl` lock, but a live process may have lost its own. So nothing is
    /// freed while a listed process still holds its `flock`.
    @discardableResult
    public func clearStaleReaders() throws(StorageError) -> Int {
        try checkNotForked()
        // A reader keeps the environment open.
        let permit = try mapLock.enterReading()
        defer { _ = mapLock.leaveReading(permit, keeping: permit.kept) }
        guard let lockFile else { return 0 }
        let own = getpid()
        let unlocked = try readers().filter { $0 != own && !lockFile.isReader($0) }
        if !unlocked.isEmpty {
            let present = try ProcessPresence.others(in: path, than: presence)
            guard present.isDisjoint(with: unlocked) else { return 0 }
        }
        var dead: Int32 = 0
        try check(mdb_reader_check(handle, &dead), "check the readers of")
        return Int(dead)
    }

    /// The processes in LMDB's reader table.
    private func readers() throws(StorageError) -> Set<pid_t> {
        // LMDB reports lines of text: process number, thread number, transaction.
        final class Lines { var processes: Set<pid_t> = [] }
        let lines = Lines()
        let number = withExtendedLifetime(lines) {
            mdb_reader_list(
                handle,
                { text, context in
                    guard let text, let context else { return 0 }
                    // Sound: the object is alive during the call, which is on this thread.
                    let lines = Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue()
                    let words = String(cString: text).split(whereSeparator: \.isWhitespace)
                    if let process = words.first.flatMap({ pid_t($0) }) { lines.processes.insert(process) }
                    return 0
                }, Unmanaged.passUnretained(lines).toOpaque())
        }
        guard number >= 0 else { throw failure(number, "list the readers of") }
        return lines.processes
    }
}
