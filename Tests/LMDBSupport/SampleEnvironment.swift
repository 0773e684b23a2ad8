package import Foundation
import LMDB
package import LMDBFormat

/// A closed environment with everything that a file can hold, and the means to damage it at critical offsets.
package struct SampleEnvironment {
    package let sandbox: Sandbox
    package var path: String { sandbox.path }
    package var file: URL { URL(fileURLWithPath: sandbox.path("data.mdb")) }

    package init() throws {
        sandbox = try Sandbox()
        try populate(sandbox.path)
    }

    /// The meta page that LMDB uses, and its offset.
    package func newest() throws -> (meta: MetaPage, start: Int) {
        let file = try DataFile(path: self.file.path)
        guard case .success(let pages?) = try file.readMetaPages() else { throw CocoaError(.fileReadCorruptFile) }
        return (pages.newest, pages.newest == pages.first ? 0 : pages.newest.pageSize)
    }

    package func change(_ body: (inout Data) throws -> Void) throws {
        var data = try Data(contentsOf: file)
        try body(&data)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: data)
        try handle.close()
    }

    package func change<T: FixedWidthInteger>(at offset: Int, to value: T) throws {
        try change { data in
            withUnsafeBytes(of: value) { data.replaceSubrange(offset..<offset + $0.count, with: $0) }
        }
    }

    /// The start of the first page for which `predicate` holds of number, flags and count of rows.
    package func page(_ flags: UInt16, where predicate: (Data) -> Bool = { _ in true }) throws -> Int {
        let data = try Data(contentsOf: file)
        let free = try freePages()
        for start in stride(from: 8192, to: data.count, by: 4096) where !free.contains(start / 4096) {
            let page = Data(data[start..<start + 4096])
            if page.number(at: 10, as: UInt16.self) == flags, page.number(at: 0, as: UInt64.self) == start / 4096,
                predicate(page)
            {
                return start
            }
        }
        throw CocoaError(.fileNoSuchFile)
    }

    /// Pages that hold nothing now, though they look as if.
    private func freePages() throws -> Set<Int> {
        let (meta, _) = try newest()
        let file = try DataFile(path: self.file.path)
        var check = StructureCheck(file, meta, filePages: UInt(try file.size() / 4096))
        try check.walkFreeList()
        return Set((2...Int(meta.lastPage)).filter { check.firstUnusedPage(from: UInt($0)) != UInt($0) })
    }

    package func kinds() throws -> Set<StructureFault.Kind> {
        Set(try Environment.checkStructure(at: path).map(\.kind))
    }
}

extension Data {
    package func number<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type) -> T {
        withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }
}

/// Two tables with branches, large values, free pages; about 30 pages.
package func populate(_ path: String) throws {
    let environment = try Environment.open(at: path, options: .quick)
    let tables = try environment.tables(["small", "large"])
    for round in 0..<3 {
        try environment.write { transaction in
            for number in UInt64(0)..<200 {
                try transaction.put(number * 31, [UInt8](repeating: UInt8(number), count: 20), in: tables[0])
            }
            for number in UInt64(0)..<5 {
                try transaction.put(number, [UInt8](repeating: 7, count: 5000 + round * 100), in: tables[1])
            }
            try transaction.delete(UInt64(3), in: tables[1])
        }
    }
}
