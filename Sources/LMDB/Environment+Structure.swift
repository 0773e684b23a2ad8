import Foundation
public import LMDBFormat
internal import LMDBLibrary
public import Platform

extension Environment {
    /// Checks the newest snapshot row by row, and returns what is not as LMDB leaves it.
    ///
    /// It reads the file without LMDB, so that damage cannot end the process. If it returns no faults, reading that
    /// snapshot is safe. Other threads and processes may write meanwhile: a read transaction keeps the snapshot's pages
    /// in place, which costs room in the file until the check is done. O(size of the file); memory: a bit a page. At
    /// most 1,000 faults are returned.
    public func checkStructure() throws -> [StructureFault] {
        try withSnapshot { snapshot in
            switch snapshot {
            case .failure(let fault): [fault]
            case .success(let (snapshot, filePages)): try snapshot.file.faults(of: snapshot.meta, filePages: filePages)
            }
        }
    }

    /// Checks the newest snapshot and runs `body` on that same snapshot, also while others write. Neither the check nor
    /// the reads go through LMDB. Costs as `checkStructure()`; the snapshot's pages are not reused until `body`
    /// returns.
    ///
    /// Throws `StructureDamage` if the snapshot cannot be read without danger, `StorageError`, and what `body` throws.
    public func readChecked<T>(_ body: (CheckedSnapshot) throws -> T) throws -> T {
        try withSnapshot { snapshot in
            let faults: [StructureFault]
            switch snapshot {
            case .failure(let fault): faults = [fault]
            case .success(let (snapshot, filePages)):
                faults = try snapshot.file.faults(of: snapshot.meta, filePages: filePages)
                if !faults.contains(where: \.isDangerous) {
                    return try body(CheckedSnapshot(file: snapshot.file, meta: snapshot.meta, faults: faults))
                }
            }
            throw StructureDamage(faults: faults)
        }
    }

    /// Whether this process or another has the environment in a folder open.
    ///
    /// Throws `StorageError` if this cannot be determined.
    public static func isOpen(at path: String) throws(StorageError) -> Bool {
        if EnvironmentRegistry.shared.isOpen(at: path) { return true }
        return try !ProcessPresence.others(in: path).isEmpty
    }

    /// Opens an environment that may be damaged, for use with `readChecked`. If a power cut or a killed process left
    /// work unfinished, recovers first, after checking the snapshot that recovery starts from.
    ///
    /// Throws `StructureDamage`, or `StorageError` like `open`.
    public static func openUnchecked(at path: String, options: Options = Options()) throws -> Environment {
        var options = options
        options.access = .reading
        let faults = try EnvironmentRegistry.shared.recover(at: path)
        guard !faults.contains(where: \.isDangerous) else { throw StructureDamage(faults: faults) }
        return try open(at: path, options: options)
    }

    /// Runs `body` on the snapshot that a read transaction of ours keeps in place, with the number of pages of the
    /// file; or on the fault that prevents finding the snapshot.
    private func withSnapshot<T>(
        _ body: (Result<(CheckedSnapshot, filePages: UInt), StructureFault>) throws -> T
    ) throws -> T {
        while true {
            let value: T? = try reading { raw in
                let file = DataFile(path: path + "/data.mdb", descriptor: try fileDescriptor())
                let number = UInt(bitPattern: mdb_txn_id(raw))
                // The meta page is intact if found now: only the transaction after next overwrites it.
                let first = try file.readMetaPages()
                let second = try file.readMetaPages()
                switch (first, second) {
                case (.failure(let fault), .failure(let again)) where fault == again:
                    return try body(.failure(fault))
                case (.success(let pages?), .success(let again?)):
                    // Only the transaction after next writes this page: found in both reads, it was intact.
                    guard let meta = pages.page(of: number), meta == again.page(of: number) else { return nil }
                    return try body(.success((CheckedSnapshot(file: file, meta: meta), again.filePages)))
                default: return nil
                }
            }
            if let value { return value }
        }
    }

    /// Checks an environment without opening it, which damage could already crash. No process may be writing to it.
    ///
    /// If other processes write, use `readChecked` of an open environment: nothing holds the pages in place here. A
    /// check that commits overtook starts again, and fails after some tries. If a power cut or a killed process left
    /// work unfinished, recovers first, unless the snapshot that recovery starts from has faults: then it returns
    /// those.
    ///
    /// Throws `StorageError`: `.missing`, `.notPermitted`, `.inputOutput`; `.other` after giving up. An empty file has
    /// no faults.
    public static func checkStructure(at path: String) throws(StorageError) -> [StructureFault] {
        let faults = try EnvironmentRegistry.shared.recover(at: path)
        guard faults.isEmpty else { return faults }
        let file = try DataFile(path: path + "/data.mdb")
        for _ in 0..<10 {
            if let fault = try file.persistentFault() { return [fault] }
            guard case .success(let before) = try file.readMetaPages() else { continue }
            guard let before else { return [] }
            let meta = before.newest
            let faults = try file.faults(of: meta, filePages: before.filePages)
            // As long as this meta page is in the file, the pages of its snapshot were not overwritten.
            guard case .success(let after?) = try file.readMetaPages() else { continue }
            if after.page(of: meta.transaction) == meta { return faults }
        }
        throw StorageError(
            .other,
            "\(path) is being written to, faster than it can be checked. Try again when less is written.")
    }
}
