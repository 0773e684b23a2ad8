import Events
import Foundation
import LMDBFormat
import Platform

@testable import LMDB

/// A write-ahead file: its header and frames, and the recovery of a folder where it lies beside an intact data file.
///
/// The first byte of an input says what the rest is: the file; a patch of a real file; a patch of a real file's header,
/// whose checksum is then corrected; the changes of frames, whose heads are then corrected. The meta pages of a valid
/// header are those of the data file: an attacker that can forge these can forge the data file, which is not opened
/// from strangers.
final class WriteAheadFuzzer: Fuzzer {
    static let name = "wal"
    static let longestInput = 1 << 14
    /// LMDB allocates its lists at their maximum size, at every opening.
    static let allocationBase = 32 << 20

    private let folder: String
    private let dataFile: Data
    private let aheadFile: [UInt8]

    init(in folder: String) throws {
        self.folder = folder + "/store"
        (dataFile, aheadFile) = try Self.crashed(in: folder + "/base")
        try Folder.create(self.folder)
    }

    /// The files of a store whose process was killed after twelve small commits.
    private static func crashed(in folder: String) throws -> (Data, [UInt8]) {
        let environment = try Environment.open(at: folder)
        let tables = try environment.tables(["rows", "more"])
        for number in UInt64(0)..<12 {
            try environment.write { transaction in
                try transaction.put(number, [UInt8](repeating: UInt8(number), count: 40), in: tables[0])
                try transaction.put(number % 3, [1, 2, 3], in: tables[1])
                if number % 4 == 3 { try transaction.delete(number - 1, in: tables[0]) }
            }
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/data.mdb"))
        let ahead = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + "/" + WriteAheadFile.name)))
        // Zeros follow the frames.
        return (data, [UInt8](ahead.prefix(13 * WriteAheadHeader.block)))
    }

    func feed(_ bytes: UnsafeRawBufferPointer) throws {
        var input = InputReader(bytes)
        let kind = input.byte() % 4
        var file = aheadFile
        switch kind {
        case 0: file = input.rest.array
        case 1: file.patch(&input)
        case 2: patchHeader(of: &file, &input)
        default: file = file.prefix(WriteAheadHeader.block) + records(&input)
        }
        parse(file)
        try recover(file)
    }

    private func patchHeader(of file: inout [UInt8], _ input: inout InputReader) {
        // The identity of the data file, without which nothing is repeated.
        let naming = [40..<40 + 2 * MetaPage.size, 2048..<2088]
        var block = [UInt8](file.prefix(WriteAheadHeader.block))
        block.patch(&input)
        for range in naming { block.replaceSubrange(range, with: file[range]) }
        let end = WriteAheadHeader.block - 8
        var checksum = WriteAheadChecksum(seed: 0)
        block.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<end])) }
        withUnsafeBytes(of: checksum.value.littleEndian) { block.replaceSubrange(end..<end + 8, with: $0) }
        file.replaceSubrange(0..<WriteAheadHeader.block, with: block)
    }

    private func records(_ input: inout InputReader) -> [UInt8] {
        guard let header = try? WriteAheadHeader([UInt8](aheadFile.prefix(WriteAheadHeader.block)), path: folder) else {
            return []
        }
        var file: [UInt8] = []
        var checksum = WriteAheadChecksum(seed: header.salt)
        var transaction = UInt64(header.transaction)
        while !input.isAtEnd {
            let changes = input.counted()
            transaction += 1
            var head: [UInt8] = []
            withUnsafeBytes(of: header.generation.littleEndian) { head += $0 }
            withUnsafeBytes(of: transaction.littleEndian) { head += $0 }
            withUnsafeBytes(of: UInt64(changes.count).littleEndian) { head += $0 }
            head.withUnsafeBytes { checksum.add($0) }
            checksum.add(changes)
            withUnsafeBytes(of: checksum.value.littleEndian) { head += $0 }
            file += head + changes
            file += [UInt8](
                repeating: 0, count: WriteAheadFrame.size(ofChanges: changes.count) - head.count - changes.count)
        }
        return file
    }

    private func parse(_ file: [UInt8]) {
        guard let header = try? WriteAheadHeader([UInt8](file.prefix(WriteAheadHeader.block)), path: folder) else {
            return
        }
        let again = (try? WriteAheadHeader(header.bytes, path: folder)) ?? nil
        // An invalid session name becomes longer when it is repaired, and is then cut.
        let isText = header.session.utf8.count <= 255
        expect(!header.isEnabled || !isText || again == header, "a header is written as another: \(header)")
        file.dropFirst(WriteAheadHeader.block).withUnsafeBytes { bytes in
            for record in WriteAheadFrame.all(in: bytes, after: header) {
                let changes = UnsafeRawBufferPointer(rebasing: bytes[record.changes])
                expect(
                    (RecordedChange.all(in: changes)?.count ?? 0) <= changes.count, "there are more changes than bytes")
            }
        }
    }

    private func recover(_ file: [UInt8]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        try dataFile.write(to: URL(fileURLWithPath: folder + "/data.mdb"))
        try Data(file).write(to: URL(fileURLWithPath: folder + "/" + WriteAheadFile.name))
        let environment = try Environment.open(at: folder, options: Environment.Options(mapSize: 4 << 20))
        expect((try? environment.checkStructure()) == [], "what was recovered is not sound")
        let tables = try environment.tables(["rows", "more"])
        for table in tables { _ = try environment.read { try TableReading.check(table, $0) } }
        try environment.write { try $0.put(UInt64(7), [7], in: tables[0]) }
        expect((try? environment.checkStructure()) == [], "after one more commit it is not sound")
    }
}
