import Foundation
import LMDBFormat
import Platform

@testable import LMDB

/// A data file: the check of its structure; and, if that found nothing, every row through LMDB, and some more written.
///
/// The first byte of an input says what the rest is: the file, or a patch of one of some intact files.
final class DataFileFuzzer: Fuzzer {
    static let name = "data"
    static let longestInput = 1 << 15
    static let allocationBase = 16 << 20
    static let names = ["rows", "large", "other"]

    private let folder: String
    private let path: String
    private let samples: [[UInt8]]

    init(in folder: String) throws {
        samples = try Self.samples(in: folder)
        self.folder = folder + "/store"
        path = self.folder + "/data.mdb"
        try Folder.create(self.folder)
    }

    /// Intact files: one without tables, a few rows, and one with branches, large values and free pages.
    private static func samples(in folder: String) throws -> [[UInt8]] {
        try [0, 1, 3].enumerated().map { index, rounds in
            let path = "\(folder)/sample\(index)"
            try fill(path, rounds: rounds)
            return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "/data.mdb")))
        }
    }

    private static func fill(_ path: String, rounds: Int) throws {
        let environment = try Environment.open(at: path, options: Environment.Options(durability: .unsynced))
        guard rounds > 0 else { return try environment.write { _ in } }
        let tables = try environment.tables(names)
        for round in 0..<rounds {
            try environment.write { transaction in
                for number in 0..<UInt64(rounds * rounds * 20) {
                    try transaction.put(number * 31, [UInt8](repeating: UInt8(number), count: 20), in: tables[0])
                }
                for number in UInt64(0)..<3 where rounds > 1 {
                    try transaction.put(number, [UInt8](repeating: 7, count: 5000 + round * 100), in: tables[1])
                }
                try transaction.delete(UInt64(round), in: tables[1])
            }
        }
    }

    func feed(_ bytes: UnsafeRawBufferPointer) throws {
        var input = InputReader(bytes)
        let kind = input.byte() % (samples.count + 1)
        var file = kind == 0 ? input.rest.array : samples[kind - 1]
        if kind > 0 { file.patch(&input) }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        try Data(file).write(to: URL(fileURLWithPath: path))
        guard try Environment.checkStructure(at: folder).isEmpty else {
            try? DataFile.checkMetaPages(at: path)
            return
        }
        try read()
        let isSound = try Environment.checkStructure(at: folder).filter { fault in
            // The last number in range was exceeded by counting.
            fault.kind != .metaPage || !fault.description.contains("names transaction")
        }
        expect(isSound.isEmpty, "after it was opened, read and written it is not sound: \(isSound)")
    }

    private func read() throws {
        let options = Environment.Options(durability: .unsynced, mapSize: 1 << 24)
        let environment = try Environment.open(at: folder, options: options)
        let tables = try environment.tables(Self.names)
        // The table of tables, which LMDB has ready once a table was opened.
        _ = try environment.read { try TableReading.check(Table(name: "", handle: 1, part: nil), $0) }
        for table in tables { _ = try environment.read { try TableReading.check(table, $0) } }
        try environment.write { transaction in
            for number in UInt64(0)..<40 {
                try transaction.put(number &* 7, [UInt8](repeating: 1, count: Int(number) * 3), in: tables[0])
                try transaction.delete(number &* 31, in: tables[0])
            }
            try transaction.put(UInt64(1), [UInt8](repeating: 1, count: 9000), in: tables[1])
        }
        for table in tables { _ = try environment.read { try TableReading.check(table, $0) } }
    }
}
