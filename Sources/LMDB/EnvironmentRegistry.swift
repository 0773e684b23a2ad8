internal import CLMDB
import Foundation

/// Hands out one `Environment` per file and process.
///
/// `@unchecked Sendable`: `entries` is read and written with `condition` locked.
final class EnvironmentRegistry: @unchecked Sendable {
    static let shared = EnvironmentRegistry()

    private final class Entry {
        weak var environment: Environment?
        init(_ environment: Environment) { self.environment = environment }
    }

    private let condition = NSCondition()
    private var entries: [FileIdentity: Entry] = [:]

    func open(at path: String, options: Environment.Options) throws(LMDBError) -> Environment {
        condition.lock()
        defer { condition.unlock() }
        if !options.readOnly { try Folder.create(path) }
        try Folder.refuseNetworkFileSystem(path)
        let file = path + "/data.mdb"
        if let identity = FileIdentity(path: file) {
            if let environment = existing(identity) {
                guard options.readOnly || !environment.options.readOnly else {
                    throw LMDBError(
                        .alreadyOpen,
                        "\(path) is open read-only in this process. Close that store before opening it for writing.")
                }
                return environment
            }
            try DataFile(path: file).checkMetaPages()
        } else if options.readOnly {
            throw LMDBError(.missing, "There is no \(file). Check the path, or open for writing once to create it.")
        }
        return try openAnew(at: path, file: file, options: options)
    }

    /// The live environment for a file; waits while one is being closed.
    private func existing(_ identity: FileIdentity) -> Environment? {
        while let entry = entries[identity] {
            if let environment = entry.environment { return environment }
            condition.wait()
        }
        return nil
    }

    private func openAnew(
        at path: String, file: String, options: Environment.Options
    ) throws(LMDBError) -> Environment {
        let isNew = !FileManager.default.fileExists(atPath: file)
        var handle: OpaquePointer?
        var number = mdb_env_create(&handle)
        guard number == MDB_SUCCESS, let handle else { throw LMDBError(number, "open", path: path) }
        number = configureAndOpen(handle, path, options)
        var stat = MDB_stat()
        if number == MDB_SUCCESS { number = mdb_env_stat(handle, &stat) }
        guard number == MDB_SUCCESS, let identity = FileIdentity(path: file) else {
            mdb_env_close(handle)
            throw LMDBError(number == MDB_SUCCESS ? ENOENT : number, "open", path: path)
        }
        let environment = Environment(
            path: path, options: options, handle: handle, pageSize: Int(stat.ms_psize), identity: identity)
        entries[identity] = Entry(environment)
        if isNew && options.syncsCommits { try Folder.sync(path) }
        if !options.readOnly { try environment.clearStaleReaders() }
        return environment
    }

    private func configureAndOpen(_ handle: OpaquePointer, _ path: String, _ options: Environment.Options) -> Int32 {
        var number = mdb_env_set_mapsize(handle, options.mapSize)
        if number == MDB_SUCCESS { number = mdb_env_set_maxdbs(handle, MDB_dbi(options.maxTables)) }
        if number == MDB_SUCCESS { number = mdb_env_set_maxreaders(handle, UInt32(options.maxReaders)) }
        guard number == MDB_SUCCESS else { return number }
        var flags = UInt32(MDB_NOTLS)
        if options.readOnly { flags |= UInt32(MDB_RDONLY) }
        if !options.syncsCommits { flags |= UInt32(MDB_NOSYNC) }
        return mdb_env_open(handle, path, flags, 0o600)
    }

    func closed(_ identity: FileIdentity) {
        condition.lock()
        entries[identity] = nil
        condition.broadcast()
        condition.unlock()
    }
}
