import Foundation
import Testing

@testable import LMDB

extension TreeWriter {
    func append(rows: [(key: [UInt8], value: [UInt8])]) throws {
        for (key, value) in rows {
            try key.withUnsafeBytes { key in try value.withUnsafeBytes { try append(key, $0) } }
        }
    }
}

@Suite("Trees written page by page")
struct TreeWriterTests {
    @Test("Pages of other sizes are filled as well", arguments: [2_048, 16_384, 32_768])
    func pageSizes(pageSize: Int) throws {
        let sandbox = try Sandbox()
        let path = sandbox.path("pages")
        #expect(FileManager.default.createFile(atPath: path, contents: Data(count: 2 * pageSize)))
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        for keySize in [8, 100, 511] {
            var generator = SeededGenerator(seed: UInt64(pageSize + keySize))
            for count in Array(0...40) + [1_000] {
                try handle.truncate(atOffset: UInt64(2 * pageSize))
                let output = PageOutput(
                    path: path, descriptor: handle.fileDescriptor, pageSize: pageSize, next: 2, bufferSize: 4 * pageSize
                ) {}
                let tree = TreeWriter(output)
                for number in 0..<count {
                    let value = [UInt8](
                        repeating: 1,
                        count: number.isMultiple(of: 9)
                            ? Int.random(in: 0...3 * pageSize, using: &generator) : pageSize / 5)
                    let key = bytes(UInt64(number)) + [UInt8](repeating: 2, count: keySize - 8)
                    try tree.append(rows: [(key, value)])
                }
                let record = try tree.finish()
                try output.flush()
                #expect(record.entries == UInt(count))
                let faults = try Self.faults(of: record, path, pageSize: pageSize, lastPage: output.next - 1)
                #expect(faults == [], "\(count) rows, keys of \(keySize)")
            }
        }
    }

    /// What is wrong with a tree that has all pages of a file but the first two.
    private static func faults(
        of record: TreeRecord, _ path: String, pageSize: Int, lastPage: UInt
    ) throws -> [String] {
        let file = try DataFile(path: path)
        var page = [UInt8](repeating: 0, count: MetaPage.size)
        page.withUnsafeMutableBytes { page in
            // The record of the free list has the size of a page where others have padding.
            page.storeBytes(
                of: UInt32(pageSize), toByteOffset: PageLayout.header + 8 + 2 * PageLayout.word, as: UInt32.self)
            page.storeBytes(of: lastPage, toByteOffset: MetaPage.lastPageOffset, as: UInt.self)
        }
        let meta = page.withUnsafeBytes { MetaPage($0) }
        var check = StructureCheck(file, meta, filePages: lastPage + 1)
        try check.walk(StructureCheck.Tree(.named("rows"), record))
        let lost = check.used.missing
        return check.faults.map(\.description) + (lost == 0 ? [] : ["\(lost) pages are lost"])
    }
}
