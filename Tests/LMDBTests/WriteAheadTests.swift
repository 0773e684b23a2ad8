import Foundation
import TestSupport
import Testing

@testable import LMDB

@Suite("Commits that are written ahead")
struct WriteAheadTests {
    private static let durable = Environment.Options()

    /// Changes a table and what it should hold alike.
    private func change(
        _ environment: Environment, _ table: Table, _ model: inout [[UInt8]: [UInt8]],
        _ generator: inout SeededGenerator
    ) throws {
        var next = model
        try environment.write { transaction in
            next = model
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let key = bytes(UInt64.random(in: 0..<400, using: &generator))
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    try transaction.delete(key, in: table)
                    next[key] = nil
                } else {
                    let value = [UInt8](
                        repeating: UInt8.random(in: 0...255, using: &generator),
                        count: Int.random(in: 0...1500, using: &generator))
                    if Bool.random(using: &generator) {
                        try transaction.put(key, value, [1, 2, 3], in: table)
                        next[key] = value + [1, 2, 3]
                    } else if try transaction.putIfAbsent(key, value, in: table) {
                        next[key] = value
                    }
                }
            }
        }
        model = next
    }

    /// Opens what a power cut left and holds it against what should be there; then goes on with it.
    private func expect(
        _ model: [[UInt8]: [UInt8]], after cut: PowerCut, _ generator: inout SeededGenerator,
        _ comment: Comment
    ) throws {
        let sandbox = try Sandbox()
        try cut.leave(in: sandbox.path, &generator)
        do {
            let environment = try Environment.open(at: sandbox.path)
            let table = try environment.tables(["rows"])[0]
            #expect(try environment.rows(of: table) == model, comment)
            #expect(try environment.checkStructure() == [], comment)
            #expect(try environment.aheadHeader()?.isOn == false)
            try expectAgain(model, after: cut, repeated: environment.dataFile(), comment)
            for row in UInt64(0)..<6 { try environment.put(row + 1000, bytes("later"), in: table) }
        }
        #expect(try Environment.checkStructure(at: sandbox.path) == [], comment)
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.count(of: environment.tables(["rows"])[0]) == model.count + 6, comment)
    }

    /// The power is cut again, when everything was repeated and the header does not say so yet.
    private func expectAgain(
        _ model: [[UInt8]: [UInt8]], after cut: PowerCut, repeated: Data, _ comment: Comment
    ) throws {
        let sandbox = try Sandbox()
        try repeated.write(to: URL(filePath: sandbox.path("data.mdb")))
        try cut.ahead.write(to: URL(filePath: sandbox.path("wal")))
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.rows(of: environment.tables(["rows"])[0]) == model, comment)
        #expect(try environment.checkStructure() == [], comment)
    }

    @Test("Wherever the power is cut, what was committed is there, and what was not is not", arguments: 1...6)
    func powerCut(seed: UInt64) throws {
        // Every other one with a map that must grow.
        let options = seed % 2 == 0 ? Self.durable : Environment.Options(mapSize: 128 << 10)
        try withEnvironment(options) { environment, table in
            var generator = SeededGenerator(seed: seed)
            var model: [[UInt8]: [UInt8]] = [:]
            var before = PowerCut(synced: Data(), written: try environment.dataFile(), ahead: Data())
            var synced = before.written
            var modelBefore = model
            var generations = 0
            for number in 0..<900 {
                let comment: Comment = "seed \(seed), commit \(number)"
                try change(environment, table, &model, &generator)
                let ahead = try environment.aheadFile()
                let written = try environment.dataFile()
                let isFirst = ahead.prefix(4096) != before.ahead.prefix(4096)
                // A header is written while the data file is synced, and before LMDB commits.
                if isFirst { synced = before.written }
                let cut = PowerCut(synced: synced, written: written, ahead: ahead)
                if isFirst {
                    generations += 1
                    try expect(model, after: cut, &generator, comment)
                    try expectTornHeader(before, cut, modelBefore, &generator, comment)
                }
                if Int.random(in: 0..<120, using: &generator) == 0 {
                    try expect(model, after: cut, &generator, comment)
                    try expectTornRecord(before, cut, model: (modelBefore, model), &generator, comment)
                }
                before = cut
                modelBefore = model
            }
            #expect(generations > 2)
        }
    }

    /// The power is cut while a record is written: LMDB has not begun with its transaction.
    private func expectTornRecord(
        _ before: PowerCut, _ after: PowerCut, model: (before: [[UInt8]: [UInt8]], after: [[UInt8]: [UInt8]]),
        _ generator: inout SeededGenerator, _ comment: Comment
    ) throws {
        guard before.ahead.count == after.ahead.count, before.ahead != after.ahead else { return }
        var cut = PowerCut(synced: after.synced, written: before.written, ahead: after.ahead)
        // Where the record lies, without the zeros after it.
        let first = try #require(
            stride(from: 4096, to: cut.ahead.count, by: 4096).first {
                before.ahead[$0..<$0 + 4096] != after.ahead[$0..<$0 + 4096]
            })
        let end = first + WriteAheadFile.recordHead + Int(cut.ahead.number(at: first + 16, as: UInt32.self))
        var isTorn = false
        for start in stride(from: first, to: cut.ahead.count, by: 512) {
            let sector = start..<start + 512
            guard before.ahead[sector] != after.ahead[sector], Bool.random(using: &generator) else { continue }
            cut.ahead.replaceSubrange(sector, with: before.ahead[sector])
            let part = start..<min(start + 512, max(start, end))
            if before.ahead[part] != after.ahead[part] { isTorn = true }
        }
        try expect(isTorn ? model.before : model.after, after: cut, &generator, comment)
    }

    /// The power is cut while a header is written: the data file is synced, and of a new header's records at most the first
    /// may be there.
    private func expectTornHeader(
        _ before: PowerCut, _ after: PowerCut, _ model: [[UInt8]: [UInt8]], _ generator: inout SeededGenerator,
        _ comment: Comment
    ) throws {
        guard before.ahead.count == after.ahead.count else { return }
        for sectors in [0, 1, 4, 7] {
            let file = after.ahead.prefix(sectors * 512) + before.ahead.dropFirst(sectors * 512)
            let cut = PowerCut(synced: before.written, written: before.written, ahead: Data(file))
            try expect(model, after: cut, &generator, comment)
        }
    }

    @Test("Small commits leave the data file unsynced; settling, large ones and such as cannot be repeated do not")
    func turningOnAndOff() throws {
        try withEnvironment(Self.durable) { environment, table in
            func isOn() throws -> Bool { try environment.aheadHeader()?.isOn ?? false }
            func turnOn() throws {
                for row in UInt64(0)..<5 { try environment.put(row, bytes("small"), in: table) }
                #expect(try isOn())
            }
            #expect(try !isOn())
            try turnOn()
            try environment.settle()
            #expect(try !isOn())
            try turnOn()
            try environment.put(UInt64(7), [UInt8](repeating: 1, count: 200_000), in: table)
            #expect(try !isOn())
            try turnOn()
            try environment.write { try $0.clear(table) }
            #expect(try !isOn())
            try turnOn()
            try environment.write { transaction in
                var appender = try transaction.appender(to: table)
                try bytes(UInt64(9)).withUnsafeBytes { try appender.append($0, $0) }
            }
            #expect(try !isOn())
            try turnOn()
            // Of a size that an import begins with.
            try environment.put(UInt64(8), [UInt8](repeating: 1, count: 30_000), in: table)
            #expect(try isOn())
            _ = try environment.tables(["others"])
            #expect(try !isOn())
            try turnOn()
            // Nothing is written.
            try environment.write { _ in }
            #expect(throws: CancellationError.self) {
                try environment.write { transaction in
                    try transaction.put(UInt64(1), bytes("not kept"), in: table)
                    throw CancellationError()
                }
            }
            #expect(try isOn())
            #expect(try environment.value(UInt64(1), in: table) == bytes("small"))
        }
        try withEnvironment(Self.durable) { environment, table in
            for row in UInt64(0)..<9 {
                try environment.put(row, [UInt8](repeating: 1, count: 30_000), in: table)
                #expect(try environment.aheadHeader() == nil)
            }
        }
        try withEnvironment(.quick) { environment, table in
            for row in UInt64(0)..<20 { try environment.put(row, bytes("weak"), in: table) }
            #expect(try environment.aheadHeader() == nil)
        }
    }

    @Test("After it was settled the data file alone holds everything, whatever the rest of the file says")
    func settled() throws {
        let sandbox = try Sandbox()
        try withEnvironment(Self.durable) { environment, table in
            for row in UInt64(0)..<50 { try environment.put(row, bytes("row \(row)"), in: table) }
            try environment.settle()
            try environment.dataFile().write(to: URL(filePath: sandbox.path("data.mdb")))
            let copy = try Environment.open(at: sandbox.path)
            #expect(try copy.rows(of: copy.tables(["rows"])[0]) == environment.rows(of: table))
        }
    }

    @Test(
        "A killed process's commits are repeated by who opens next, for writing, reading or checking", arguments: 0..<3)
    func killed(way: Int) throws {
        let sandbox = try Sandbox()
        let writer = try SecondProcess("commit", sandbox.path, "a", "300")
        #expect(writer.line() == "committed")
        writer.kill()
        #expect(try WriteAheadFile(in: sandbox.path, creating: false)?.header()?.isOn == true)
        if way == 0 { #expect(try Environment.checkStructure(at: sandbox.path) == []) }
        let environment = try Environment.open(at: sandbox.path, options: Environment.Options(readOnly: way == 1))
        #expect(try environment.aheadHeader()?.isOn == false)
        let rows = try environment.rows(of: environment.tables(["rows"])[0])
        #expect(rows == Dictionary(uniqueKeysWithValues: (0..<300).map { (bytes("a\($0)"), bytes("\($0)")) }))
        #expect(try environment.checkStructure() == [])
    }

    @Test("Two processes take turns, and one may be killed: no commit is lost, also if the power is cut then")
    func turns() throws {
        try withEnvironment(Self.durable) { environment, table in
            var generator = SeededGenerator(seed: 11)
            var expected: [[UInt8]: [UInt8]] = [:]
            for round in 0..<4 {
                for row in 0..<8 {
                    try environment.put(bytes("own\(round).\(row)"), bytes("\(row)"), in: table)
                    expected[bytes("own\(round).\(row)")] = bytes("\(row)")
                }
                let header = try #require(try environment.aheadHeader())
                #expect(header.isOn)
                let other = try SecondProcess("commit", environment.path, "other\(round).", round < 2 ? "2" : "9")
                #expect(other.line() == "committed")
                for row in 0..<(round < 2 ? 2 : 9) { expected[bytes("other\(round).\(row)")] = bytes("\(row)") }
                // It opened beside us and repeated nothing, synced what was ours, and went on with its own.
                let next = try #require(try environment.aheadHeader())
                #expect(next.generation > header.generation)
                #expect(next.isOn == (round >= 2))
                #expect(try environment.rows(of: table) == expected)
                if round % 2 == 0 { other.kill() } else { try other.go() }
                let cut = PowerCut(
                    synced: try environment.dataFile(), written: try environment.dataFile(),
                    ahead: try environment.aheadFile())
                if !next.isOn { try expect(expected, after: cut, &generator, "round \(round)") }
            }
            #expect(try environment.rows(of: table) == expected)
        }
    }

    @Test("Who only reads beside a writer takes nothing back")
    func readerBeside() throws {
        try withEnvironment(Self.durable) { environment, table in
            for row in 0..<9 { try environment.put(bytes("own\(row)"), bytes("\(row)"), in: table) }
            let header = try environment.aheadHeader()
            let other = try SecondProcess("hold", environment.path)
            #expect(other.line() == "holding")
            try environment.put(bytes("last"), bytes("1"), in: table)
            #expect(try environment.aheadHeader() == header)
            #expect(try environment.count(of: table) == 10)
        }
    }

    @Test("A failed write to the file costs its own commit alone, and brings that not back", arguments: [false, true])
    func failedWrite(isSettled: Bool) throws {
        try withEnvironment(Self.durable) { environment, table in
            for row in 0..<6 { try environment.put(bytes("before\(row)"), bytes("1"), in: table) }
            if isSettled { try environment.settle() }
            #expect(try environment.aheadHeader()?.isOn == !isSettled)
            let before = try environment.dataFile()
            let file = try #require(environment.ahead?.file)
            file.fault = EIO
            #expect(code { try environment.put(bytes("failed"), bytes("1"), in: table) } == .inputOutput)
            // Nothing is written here, and so nothing is concluded; but a header that may be there is not left as it is.
            #expect(code { try environment.write { _ in } } == (isSettled ? .inputOutput : nil))
            var generator = SeededGenerator(seed: 3)
            var model = try environment.rows(of: table)
            #expect(model.count == 6)
            file.fault = 0
            if isSettled {
                // It was to be turned on. The header says off: the data file is as it was.
                let cut = PowerCut(synced: before, written: before, ahead: try environment.aheadFile())
                try expect(model, after: cut, &generator, "turned on in vain")
            }
            for row in 0..<5 { try environment.put(bytes("after\(row)"), bytes("1"), in: table) }
            // What failed to be turned on is tried again in a while.
            #expect(try environment.aheadHeader()?.isOn == !isSettled)
            model = try environment.rows(of: table)
            #expect(model.count == 11)
            let cut = PowerCut(
                synced: try environment.dataFile(), written: try environment.dataFile(),
                ahead: try environment.aheadFile())
            try expect(model, after: cut, &generator, "after a failed write")
        }
    }

    @Test("Who writes without knowing of the file is noticed, and nothing is repeated in its place")
    func unaware() throws {
        let sandbox = try Sandbox()
        _ = try Environment.open(at: sandbox.path, options: .quick).tables(["rows"])
        let other = try SecondProcess("fill", sandbox.path, "other", "3", "plain")
        #expect(other.line() == "ready")
        let environment = try Environment.open(at: sandbox.path)
        let table = try environment.tables(["rows"])[0]
        for row in 0..<6 { try environment.put(bytes("own\(row)"), bytes("1"), in: table) }
        #expect(try environment.aheadHeader()?.isOn == true)
        try other.go()
        #expect(try other.end().code == 0)
        try environment.put(bytes("last"), bytes("1"), in: table)
        #expect(try environment.aheadHeader()?.isOn == false)
        #expect(try environment.count(of: table) == 10)
        #expect(try environment.checkStructure() == [])
    }

    @Test("A process that rests gives the pages back: another's commits do not let the file grow")
    func resting() throws {
        try withEnvironment(Self.durable) { environment, table in
            for row in 0..<9 { try environment.put(bytes("own\(row)"), bytes("1"), in: table) }
            try environment.settle()
            let before = try environment.information().usedSize
            let other = try SecondProcess("commit", environment.path, "other", "1200")
            #expect(other.line() == "committed")
            try other.go()
            #expect(try other.end().code == 0)
            #expect(try environment.information().usedSize - before < 8 << 20)
            // The first commit after a rest is written ahead.
            try environment.put(bytes("next"), bytes("1"), in: table)
            try environment.put(bytes("after"), bytes("1"), in: table)
            #expect(try environment.count(of: table) == 1211)
        }
    }

    @Test("Another's file that was opened before it was repaired keeps it from being opened after a restart")
    func openElsewhere() throws {
        let sandbox = try Sandbox()
        var expected: [[UInt8]: [UInt8]] = [:]
        let writer = try SecondProcess("commit", sandbox.path, "a", "20")
        #expect(writer.line() == "committed")
        for row in 0..<20 { expected[bytes("a\(row)")] = bytes("\(row)") }
        let ahead = try Data(contentsOf: URL(filePath: sandbox.path("wal")))
        var header = try #require(try WriteAheadHeader([UInt8](ahead.prefix(4096)), path: "wal"))
        // As if it had been written before the machine started.
        header.boot = "another"
        try (Data(header.bytes) + ahead.dropFirst(4096)).write(to: URL(filePath: sandbox.path("wal")))
        #expect(code { _ = try Environment.open(at: sandbox.path) } == .alreadyOpen)
        writer.kill()
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.rows(of: environment.tables(["rows"])[0]) == expected)
    }

    @Test("A file of another version is left alone, and the store with it")
    func otherVersion() throws {
        let sandbox = try Sandbox()
        let writer = try SecondProcess("commit", sandbox.path, "a", "20")
        #expect(writer.line() == "committed")
        writer.kill()
        let path = URL(filePath: sandbox.path("wal"))
        var ahead = try Data(contentsOf: path)
        ahead[8] = 2
        try ahead.write(to: path)
        #expect(code { _ = try Environment.open(at: sandbox.path) } == .other)
        #expect(try Data(contentsOf: path) == ahead)
        ahead[8] = 1
        try ahead.write(to: path)
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.count(of: environment.tables(["rows"])[0]) == 20)
    }

    @Test("Where a sync has failed nobody writes until somebody has repeated the records alone")
    func lost() throws {
        let sandbox = try Sandbox()
        let writer = try SecondProcess("commit", sandbox.path, "a", "20")
        #expect(writer.line() == "committed")
        let ahead = try Data(contentsOf: URL(filePath: sandbox.path("wal")))
        var header = try #require(try WriteAheadHeader([UInt8](ahead.prefix(4096)), path: "wal"))
        header.isLost = true
        try (Data(header.bytes) + ahead.dropFirst(4096)).write(to: URL(filePath: sandbox.path("wal")))
        #expect(code { _ = try Environment.open(at: sandbox.path) } == .alreadyOpen)
        writer.kill()
        let environment = try Environment.open(at: sandbox.path)
        let table = try environment.tables(["rows"])[0]
        try environment.put(bytes("next"), bytes("1"), in: table)
        #expect(try environment.count(of: table) == 21)
    }

    @Test("Who has it open writes no more when another's sync has failed")
    func lostMeanwhile() throws {
        try withEnvironment(Self.durable) { environment, table in
            for row in 0..<6 { try environment.put(bytes("own\(row)"), bytes("1"), in: table) }
            let file = try #require(try WriteAheadFile(in: environment.path, creating: false))
            let header = try #require(try file.header())
            var marked = header
            marked.isLost = true
            // One byte alone says so.
            #expect(zip(header.bytes, marked.bytes).count { $0 != $1 } == 1)
            try file.write(marked.bytes, at: 0)
            #expect(try file.header() == marked)
            #expect(code { try environment.put(bytes("refused"), bytes("1"), in: table) } == .inputOutput)
            #expect(try environment.count(of: table) == 6)
            try file.write(header.bytes, at: 0)
            try environment.put(bytes("next"), bytes("1"), in: table)
            #expect(try environment.count(of: table) == 7)
        }
    }

    @Test("After a header that may not have got onto the medium the next commit begins with another")
    func uncertainHeader() throws {
        try withEnvironment(Self.durable) { environment, table in
            for row in 0..<6 { try environment.put(bytes("own\(row)"), bytes("1"), in: table) }
            let generation = try environment.aheadHeader()?.generation ?? 0
            let file = try #require(environment.ahead?.file)
            file.fault = EIO
            #expect(throws: LMDBError.self) { try environment.settle() }
            file.fault = 0
            try environment.put(bytes("large"), [UInt8](repeating: 1, count: 200_000), in: table)
            let header = try #require(try environment.aheadHeader())
            #expect(!header.isOn)
            #expect(header.generation > generation + 1)
            #expect(try environment.count(of: table) == 7)
        }
    }

    @Test("A file that was put aside while somebody waited for it is not used any more")
    func putAsideMeanwhile() throws {
        let sandbox = try Sandbox()
        _ = try Environment.open(at: sandbox.path).tables(["rows"])
        let file = try #require(try WriteAheadFile(in: sandbox.path, creating: false))
        try file.lock()
        #expect(file.isCurrent)
        let opened = DispatchSemaphore(value: 0)
        let path = sandbox.path
        Thread.detachNewThread {
            _ = try? Environment.open(at: path).tables(["others"])
            opened.signal()
        }
        try file.putAside()
        #expect(!file.isCurrent)
        file.unlock()
        opened.wait()
        #expect(FileManager.default.fileExists(atPath: sandbox.path("wal")))
        #expect(FileManager.default.fileExists(atPath: sandbox.path("wal.other")))
    }

    @Test("Damage in the snapshot is answered before anything is repeated on it")
    func damaged() throws {
        let specimen = try Specimen()
        let writer = try SecondProcess("commit", specimen.path, "a", "20")
        #expect(writer.line() == "committed")
        writer.kill()
        let ahead = try Data(contentsOf: URL(filePath: specimen.sandbox.path("wal")))
        let page = try specimen.page(PageLayout.PageFlags.leaf) { $0.number(at: 12, as: UInt16.self) > 40 }
        try specimen.change(at: page + 12, to: UInt16(0xFFF1))
        #expect(try Environment.checkStructure(at: specimen.path) != [])
        #expect(try Data(contentsOf: URL(filePath: specimen.sandbox.path("wal"))) == ahead)
    }

    @Test("A write-ahead file that is not this data file's is left out of account", arguments: [false, true])
    func foreign(isOlder: Bool) throws {
        let sandbox = try Sandbox()
        try withEnvironment(Self.durable) { environment, table in
            for row in UInt64(0)..<20 { try environment.put(row, bytes("early"), in: table) }
            try environment.settle()
            let early = try environment.dataFile()
            for row in UInt64(0)..<20 { try environment.put(row, bytes("late"), in: table) }
            let ahead = try environment.aheadFile()
            try environment.settle()
            for row in UInt64(20)..<40 { try environment.put(row, bytes("latest"), in: table) }
            let data = isOlder ? early : try environment.dataFile()
            try data.write(to: URL(filePath: sandbox.path("data.mdb")))
            // Of a snapshot that neither file holds.
            try (isOlder ? environment.aheadFile() : ahead).write(to: URL(filePath: sandbox.path("wal")))
            let copy = try Environment.open(at: sandbox.path)
            let rows = try copy.rows(of: copy.tables(["rows"])[0])
            #expect(rows.count == (isOlder ? 20 : 40))
            #expect(rows[bytes(UInt64(1))] == bytes(isOlder ? "early" : "late"))
            #expect(try copy.aheadHeader()?.isOn != true)
            #expect(FileManager.default.fileExists(atPath: sandbox.path("wal.other")))
            #expect(try copy.checkStructure() == [])
        }
    }

    @Test("A file that is no write-ahead file is taken for one without records")
    func nonsense() throws {
        let sandbox = try Sandbox()
        for content in [Data(), Data("lmdb-wal".utf8), Data(repeating: 0xAB, count: 9000)] {
            try content.write(to: URL(filePath: sandbox.path("wal")))
            let environment = try Environment.open(at: sandbox.path)
            let table = try environment.tables(["rows"])[0]
            let present = try environment.count(of: table)
            for row in 0..<UInt64(9) { try environment.put(UInt64(present) + row, bytes("row"), in: table) }
            #expect(try environment.aheadHeader()?.isOn == true)
            #expect(try environment.count(of: table) == present + 9)
            #expect(try environment.checkStructure() == [])
        }
    }

    @Test(
        "On a full disk a commit that failed is not repeated, and those before are",
        .enabled(if: MemoryFileSystem.isAvailable))
    func fullDisk() throws {
        let system = try MemoryFileSystem(kibibytes: 48 << 10)
        let path = system.path + "/store"
        var written = 0
        do {
            let environment = try Environment.open(at: path)
            let table = try environment.tables(["rows"])[0]
            var failure: LMDBError.Code?
            while failure == nil, written < 8000 {
                failure = code { try environment.put(UInt64(written), [UInt8](repeating: 5, count: 9000), in: table) }
                if failure == nil { written += 1 }
            }
            #expect(failure == .diskFull)
            #expect(written > 1000)
            #expect(try environment.aheadHeader()?.isOn == true)
            #expect(try environment.count(of: table) == written)
        }
        // Room for what is repeated.
        let environment = try Environment.open(at: path, options: Environment.Options(readOnly: true))
        #expect(try environment.count(of: environment.tables(["rows"])[0]) == written)
        #expect(try environment.checkStructure() == [])
        withExtendedLifetime(system) {}
    }

    @Test("Without room for the file commits are synced as ever", .enabled(if: MemoryFileSystem.isAvailable))
    func noRoom() throws {
        let system = try MemoryFileSystem(kibibytes: 4 << 10)
        let environment = try Environment.open(at: system.path + "/store")
        let table = try environment.tables(["rows"])[0]
        for row in UInt64(0)..<50 { try environment.put(row, bytes("row"), in: table) }
        #expect(try environment.aheadHeader() == nil)
        #expect(try environment.count(of: table) == 50)
        withExtendedLifetime(system) {}
    }

    @Test("What cannot be repeated for lack of permission is not opened", .enabled(if: MemoryFileSystem.isAvailable))
    func notPermitted() throws {
        let system = try MemoryFileSystem(kibibytes: 64 << 10)
        let path = system.path + "/store"
        let writer = try SecondProcess("commit", path, "a", "20")
        #expect(writer.line() == "committed")
        writer.kill()
        try system.makeReadOnly()
        #expect(
            code { _ = try Environment.open(at: path, options: Environment.Options(readOnly: true)) } == .notPermitted)
        #expect(code { _ = try Environment.checkStructure(at: path) } == .notPermitted)
        withExtendedLifetime(system) {}
    }
}
