import Foundation
import LMDBFormat
import LMDBSupport
import Platform
import Testing

@testable import LMDB

@Suite("The structure check")
struct StructureTests {
    @Test(
        "It knows every part of a meta page that LMDB would stumble over, and opening refuses it",
        arguments: [
            (10, 0), (16, 0), (20, 2), (32, 1 << 62), (32, 4096), (40, 1000), (40, 0), (40, 8), (40, 65536),
            (44, 0x0C), (80, 1), (80, 99999), (92, 4), (128, 0), (128, 500), (136, 0), (136, 500), (136, 1 << 63),
            (144, 1 << 63),
        ])
    func metaPages(offset: Int, value: UInt64) throws {
        let sample = try SampleEnvironment()
        let start = try sample.newest().start
        switch offset {
        case 10, 44, 92: try sample.change(at: start + offset, to: UInt16(value))
        case 16, 20, 40: try sample.change(at: start + offset, to: UInt32(value))
        default: try sample.change(at: start + offset, to: value)
        }
        let faults = try Environment.checkStructure(at: sample.path)
        #expect(faults.count == 1 && faults.allSatisfy(\.isDangerous), "\(faults)")
        #expect(faults.allSatisfy { [.metaPage, .fileTooShort].contains($0.kind) })
        #expect(code { _ = try Environment.open(at: sample.path) } == .damaged)
    }

    @Test("A file that was cut off within its second page is damaged", arguments: [4097, 4200, 4255, 5594, 7784, 8191])
    func cutOff(size: UInt64) throws {
        let sample = try SampleEnvironment()
        let file = try FileHandle(forWritingTo: sample.file)
        try file.truncate(atOffset: size)
        try file.close()
        let faults = try Environment.checkStructure(at: sample.path)
        #expect(faults.count == 1 && faults.allSatisfy(\.isDangerous), "\(faults)")
        #expect(code { _ = try Environment.open(at: sample.path) } == .damaged)
    }

    @Test("Whatever a crash left in the content of the older meta page, the newer one is used")
    func olderMetaPage() throws {
        let sample = try SampleEnvironment()
        let (meta, newest) = try sample.newest()
        let older = 4096 - newest
        // All but the page size and the transaction number, which a torn write leaves as they were.
        try sample.change { data in
            for place in Array(24..<40) + Array(44..<144) { data[older + place] = 0xA7 }
        }
        #expect(try Environment.checkStructure(at: sample.path) == [])
        let environment = try Environment.open(at: sample.path, options: .quick)
        #expect(try environment.read { UInt($0.number) } == meta.transaction)
        #expect(try environment.count(of: environment.tables(["small"])[0]) == 200)
        try environment.put([1], [1], in: environment.tables(["small"])[0])
        #expect(try environment.checkStructure() == [])
    }

    @Test(
        "It names faults in pages for what they are",
        arguments: [
            ("number", "pageHeader"), ("flags", "pageHeader"), ("other flags", "treeDepth"), ("lower", "pageLayout"),
            ("upper", "pageLayout"), ("row offset", "pageLayout"), ("no key", "keySize"), ("long key", "keySize"),
            ("value", "valueSize"), ("row flags", "rowFlags"), ("key order", "keyOrder"),
        ])
    func leafPages(what: String, kind: String) throws {
        let sample = try SampleEnvironment()
        // A leaf of the table of small values: many rows.
        let page = try sample.page(2) { $0.number(at: 12, as: UInt16.self) > 30 }
        let row = page + Int(try Data(contentsOf: sample.file).number(at: page + 16, as: UInt16.self))
        switch what {
        case "number": try sample.change(at: page, to: UInt64(3))
        case "flags": try sample.change(at: page + 10, to: UInt16(0x12))
        case "other flags": try sample.change(at: page + 10, to: UInt16(0x01))
        case "lower": try sample.change(at: page + 12, to: UInt16(16))
        case "upper": try sample.change(at: page + 14, to: UInt16(40))
        case "row offset": try sample.change(at: page + 16, to: UInt16(4094))
        case "no key": try sample.change(at: row + 6, to: UInt16(0))
        case "long key": try sample.change(at: row + 6, to: UInt16(600))
        case "value": try sample.change(at: row, to: UInt32(9999))
        case "row flags": try sample.change(at: row + 4, to: UInt16(4))
        default: try sample.change(at: row + 8, to: UInt64.max)
        }
        let faults = try Environment.checkStructure(at: sample.path)
        #expect(faults.map(\.kind.rawValue) == [kind], "\(faults)")
        #expect(faults.first?.table == "small" && faults.first?.page == UInt(page / 4096))
        let environment = try Environment.open(at: sample.path, options: .quick)
        #expect(try environment.checkStructure() == faults)
    }

    @Test(
        "It names faults in branches, large values and the free list for what they are",
        arguments: [
            ("child out of range", "pageOutOfRange"), ("child used twice", "pageUsedTwice"), ("branch key", "keyOrder"),
            ("overflow count", "pageOutOfRange"), ("overflow size", "valueSize"), ("overflow number", "pageHeader"),
            ("free count", "freeListRow"), ("free number", "freeListRow"), ("free transaction", "freeListRow"),
            ("forgotten free page", "lostPages"),
        ])
    func otherPages(what: String, kind: String) throws {
        let sample = try SampleEnvironment()
        let data = try Data(contentsOf: sample.file)
        let branch = try sample.page(1)
        let child = branch + Int(data.number(at: branch + 18, as: UInt16.self))
        let overflow = what.hasPrefix("overflow") ? try sample.page(4) : 0
        let list = Int(try sample.newest().meta.freeList.root) * 4096
        let freeRow = list + Int(data.number(at: list + 16, as: UInt16.self))
        switch what {
        case "child out of range": try sample.change(at: child, to: UInt32(5000))
        case "child used twice":
            let sibling = branch + Int(data.number(at: branch + 16, as: UInt16.self))
            try sample.change(at: child, to: data.number(at: sibling, as: UInt32.self))
        case "branch key": try sample.change(at: child + 8, to: UInt64.max)
        case "overflow count": try sample.change(at: overflow + 12, to: UInt32(5000))
        case "overflow size": try sample.change(at: overflow + 12, to: UInt32(1))
        case "overflow number": try sample.change(at: overflow, to: UInt64(2))
        case "free count": try sample.change(at: freeRow + 16, to: UInt64(1) << 60)
        case "free number": try sample.change(at: freeRow + 24, to: UInt64(0))
        case "free transaction": try sample.change(at: freeRow + 8, to: UInt64(0))
        default:
            let count = data.number(at: freeRow + 16, as: UInt64.self)
            try sample.change(at: freeRow + 16, to: count - 1)
        }
        let faults = try Environment.checkStructure(at: sample.path)
        #expect(faults.first?.kind.rawValue == kind, "\(faults)")
        #expect(faults.allSatisfy { $0.isDangerous } == (kind != "lostPages"))
    }

    @Test(
        "It holds the counts that a table claims against what is there",
        arguments: [("rows", 32), ("branch pages", 8), ("leaf pages", 16), ("overflow pages", 24)])
    func counts(what: String, offset: Int) throws {
        let sample = try SampleEnvironment()
        let main = Int(try sample.newest().meta.main.root) * 4096
        let data = try Data(contentsOf: sample.file)
        let row = main + Int(data.number(at: main + 16, as: UInt16.self))
        #expect(String(decoding: data[row + 8..<row + 13], as: UTF8.self) == "large")
        try sample.change(at: row + 13 + offset, to: UInt64(77))
        let faults = try Environment.checkStructure(at: sample.path)
        #expect(faults.map(\.kind) == [.treeCounts] && faults.first?.table == "large", "\(faults)")
        #expect(faults.first?.description.contains("77 \(what)") == true)
    }

    @Test("A file cut short is refused at the opening, wherever it is cut")
    func cutShort() throws {
        let whole = try SampleEnvironment()
        let original = try Data(contentsOf: whole.file)
        for size in stride(from: 4096, to: original.count, by: 4096) {
            let sample = try SampleEnvironment()
            try sample.change { $0 = $0.prefix(size) }
            #expect(try !Environment.checkStructure(at: sample.path).isEmpty, "\(size) bytes")
            #expect(code { _ = try Environment.open(at: sample.path) } == .damaged, "\(size) bytes")
        }
    }

    @Test("Pages at the end that were taken and given back in one transaction need not be in the file")
    func unwrittenTail() throws {
        let sandbox = try Sandbox()
        var size = 0
        var used = 0
        func makeTail() throws {
            let environment = try Environment.open(at: sandbox.path, options: .quick)
            let table = try environment.tables(["rows"])[0]
            for round in 0..<3 {
                try environment.write { transaction in
                    for row in UInt64(0)..<200 {
                        try transaction.put(row, [UInt8](repeating: 1, count: 1000), in: table)
                    }
                    for row in (UInt64(round)..<200).reversed() { try transaction.delete(row, in: table) }
                }
            }
            used = try environment.information().usedSize
            size = try DataFile(path: sandbox.path("data.mdb")).size()
            #expect(try environment.checkStructure() == [])
        }
        try makeTail()
        #expect(size < used, "The test no longer makes such a file.")
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        #expect(try environment.checkStructure() == [])
    }

    @Test("A table with an order of rows that is not used here is refused")
    func foreignTable() throws {
        let sample = try SampleEnvironment()
        let main = Int(try sample.newest().meta.main.root) * 4096
        let row = main + Int(try Data(contentsOf: sample.file).number(at: main + 16, as: UInt16.self))
        try sample.change(at: row + 13 + 4, to: UInt16(0x02))
        #expect(try sample.kinds() == [.tableFlags])
        let environment = try Environment.open(at: sample.path, options: .quick)
        #expect(code { _ = try environment.tables(["large"]) } == .damaged)
        #expect(try environment.count(of: environment.tables(["small"])[0]) == 200)
    }

    @Test("A snapshot is checked as it was while writers of this process go on")
    func besideWriters() throws {
        try withEnvironment { environment, table in
            let failures = concurrently(3) { number in
                for round in 0..<60 {
                    if number == 0 {
                        if let fault = try environment.checkStructure().first { throw fault }
                    } else {
                        try environment.write { transaction in
                            for row in UInt64(0)..<40 {
                                let value = [UInt8](repeating: 1, count: (round * 97 + Int(row) * 131) % 6000)
                                try transaction.put(row, value, in: table)
                            }
                            try transaction.delete(UInt64(round % 40), in: table)
                        }
                    }
                }
            }
            let count = try environment.count(of: table)
            #expect(failures == [] && count >= 38)
        }
    }

    @Test("A set of pages finds what is missing from it", arguments: [1, 63, 64, 65, 128, 200] as [UInt])
    func pageSet(limit: UInt) {
        var set = PageSet(below: limit)
        #expect(set.missing == limit && set.firstMissing(from: 0) == 0)
        for number in 0..<limit where number != limit / 2 {
            let answers = [set.insert(number), set.insert(number)]
            #expect(answers == [true, false])
        }
        #expect(set.missing == 1 && set.firstMissing(from: 0) == limit / 2)
        #expect(set.firstMissing(from: limit / 2 + 1) == nil)
        let isNew = set.insert(limit / 2)
        #expect(isNew && set.missing == 0 && set.firstMissing(from: 0) == nil)
    }
}
