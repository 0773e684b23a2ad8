internal import CLMDB
import Foundation
public import LMDBFormat
public import Platform

extension Environment {
    /// Checks everything that the environment holds now, row by row, and answers what is not as LMDB leaves it.
    ///
    /// It reads the file without LMDB, so that damage cannot end the process. After an empty answer, reading what was
    /// committed then is safe. Others may write meanwhile: a read transaction keeps the pages of the snapshot in place,
    /// which costs them room in the file until the check is done. O(size of the file); memory: a bit a page. At most
    /// 1,000 faults are named.
    public func checkStructure() throws -> [StructureFault] {
        try withSnapshot { snapshot in
            switch snapshot {
            case .failure(let fault): [fault]
            case .success(let (snapshot, filePages)): try snapshot.file.faults(of: snapshot.meta, filePages: filePages)
            }
        }
    }

    /// Checks the snapshot of what is committed now, and runs `body` on it: what is read there is what was checked, whoever
    /// writes meanwhile. Neither the check nor reading goes through LMDB. Costs as `checkStructure()`, and keeps the
    /// snapshot's pages from being used again until `body` is through.
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
    /// Throws `StorageError` if that cannot be found out.
    public static func isOpen(at path: String) throws(StorageError) -> Bool {
        if EnvironmentRegistry.shared.isOpen(at: path) { return true }
        return try !ProcessPresence.others(in: path).isEmpty
    }

    /// Opens an environment for reading that may be damaged: `readChecked` tells. What a power cut or a killed process left
    /// undone is done first, once the snapshot that it begins with was checked.
    ///
    /// Throws `StructureDamage`, or `StorageError` like `open`.
    public static func openUnchecked(at path: String, options: Options = Options()) throws -> Environment {
        var options = options
        options.access = .reading
        let faults = try EnvironmentRegistry.shared.recover(at: path)
        guard !faults.contains(where: \.isDangerous) else { throw StructureDamage(faults: faults) }
        return try open(at: path, options: options)
    }

    /// Runs `body` on the snapshot that a read transaction of ours keeps in place, with the number of pages of the file; or on
    /// what keeps the snapshot from being found.
    private func withSnapshot<T>(
        _ body: (Result<(CheckedSnapshot, filePages: UInt), StructureFault>) throws -> T
    ) throws -> T {
        let file = DataFile(path: path + "/data.mdb", descriptor: try fileDescriptor())
        while true {
            let answer: T? = try reading { raw in
                let number = UInt(bitPattern: mdb_txn_id(raw))
                // Found now, the page of a transaction was whole: it is written over by the next but one alone.
                let first = try file.readMetaPages()
                let second = try file.readMetaPages()
                switch (first, second) {
                case (.failure(let fault), .failure(let again)) where fault == again:
                    return try body(.failure(fault))
                case (.success(let pages?), .success(let again?)):
                    // Only the next transaction but one writes this page: found both times, it was whole.
                    guard let meta = pages.page(of: number), meta == again.page(of: number) else { return nil }
                    return try body(.success((CheckedSnapshot(file: file, meta: meta), again.filePages)))
                default: return nil
                }
            }
            if let answer { return answer }
        }
    }

    /// Checks an environment that nobody writes to, without opening it: before opening, for damage can already crash
    /// that.
    ///
    /// With writers in other processes use `readChecked` of an open one: nothing holds the pages in place here. A check that
    /// was overtaken by commits is begun anew, and given up after some tries. What a power cut or a killed process left
    /// undone is done first, unless the snapshot that it begins with has faults: then these are answered.
    ///
    /// Throws `StorageError`: `.missing`, `.notPermitted`, `.inputOutput`; `.other` if it was given up. An empty file is
    /// without faults.
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
            // As long as this page stands, the pages of its snapshot were not written over.
            guard case .success(let after?) = try file.readMetaPages() else { continue }
            if after.page(of: meta.transaction) == meta { return faults }
        }
        throw StorageError(
            .other,
            "\(path) is being written to, faster than it can be checked. Try again when less is written.")
    }
}
