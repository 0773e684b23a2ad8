import Foundation
import LMDBSupport
import TestSupport
import Testing

@testable import LMDB

@Suite("Commits that are written ahead")
struct WriteAheadTests {
    /// Changes a table and its expected rows alike.
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

    @Test(
        "Wherever the power is cut, what was committed is there, and what was not is not",
        arguments: 1...UInt64(2 * Extent.of(2)))
    func powerCut(seed: UInt64) throws {
        // Every other one with a map that must grow.
        let options: Environment.Options = seed % 2 == 0 ? .durable : .durable(mapSize: 128 << 10)
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
                    try cut.expect(model, &generator, comment)
                    try expectTornHeader(before, cut, modelBefore, &generator, comment)
                }
                if Int.random(in: 0..<120, using: &generator) == 0 {
                    try cut.expect(model, &generator, comment)
                    try expectTornRecord(before, cut, model: (modelBefore, model), &generator, comment)
                }
                before = cut
                modelBefore = model
            }
            #expect(generations > 2)
        }
    }

    /// The power is cut while a frame is written: LMDB has not begun with its transaction.
    private func expectTornRecord(
        _ before: PowerCut, _ after: PowerCut, model: (before: [[UInt8]: [UInt8]], after: [[UInt8]: [UInt8]]),
        _ generator: inout SeededGenerator, _ comment: Comment
    ) throws {
        guard before.ahead.count == after.ahead.count, before.ahead != after.ahead else { return }
        var cut = PowerCut(synced: after.synced, written: before.written, ahead: after.ahead)
        // The range of the frame, without the zeros after it.
        let first = try #require(
            stride(from: 4096, to: cut.ahead.count, by: 4096).first {
                before.ahead[$0..<$0 + 4096] != after.ahead[$0..<$0 + 4096]
            })
        let end = first + WriteAheadFile.frameHead + Int(cut.ahead.number(at: first + 16, as: UInt32.self))
        var isTorn = false
        for start in stride(from: first, to: cut.ahead.count, by: 512) {
            let sector = start..<start + 512
            guard before.ahead[sector] != after.ahead[sector], Bool.random(using: &generator) else { continue }
            cut.ahead.replaceSubrange(sector, with: before.ahead[sector])
            let part = start..<min(start + 512, max(start, end))
            if before.ahead[part] != after.ahead[part] { isTorn = true }
        }
        try cut.expect(isTorn ? model.before : model.after, &generator, comment)
    }

    /// The power is cut while a header is written: the data file is synced, and of a new header's frames at most the
    /// first may be there.
    private func expectTornHeader(
        _ before: PowerCut, _ after: PowerCut, _ model: [[UInt8]: [UInt8]], _ generator: inout SeededGenerator,
        _ comment: Comment
    ) throws {
        guard before.ahead.count == after.ahead.count else { return }
        for sectors in [0, 1, 4, 7] {
            let file = after.ahead.prefix(sectors * 512) + before.ahead.dropFirst(sectors * 512)
            let cut = PowerCut(synced: before.written, written: before.written, ahead: Data(file))
            try cut.expect(model, &generator, comment)
        }
    }

    @Test("Small commits leave the data file unsynced; checkpoints, large ones and such as cannot be repeated do not")
    func turningOnAndOff() throws {
        try withEnvironment(.durable) { environment, table in
            func isEnabled() throws -> Bool { try environment.aheadHeader()?.isEnabled ?? false }
            func enable() throws {
                for row in UInt64(0)..<5 { try environment.put(row, bytes("small"), in: table) }
                #expect(try isEnabled())
            }
            #expect(try !isEnabled())
            try enable()
            try environment.checkpoint()
            #expect(try !isEnabled())
            try enable()
            try environment.put(UInt64(7), [UInt8](repeating: 1, count: 200_000), in: table)
            #expect(try !isEnabled())
            try enable()
            try environment.write { try $0.clear(table) }
            #expect(try !isEnabled())
            try enable()
            // Of a size that an import begins with.
            try environment.put(UInt64(8), [UInt8](repeating: 1, count: 30_000), in: table)
            #expect(try isEnabled())
            _ = try environment.tables(["others"])
            #expect(try !isEnabled())
            try enable()
            // Nothing is written.
            try environment.write { _ in }
            #expect(throws: CancellationError.self) {
                try environment.write { transaction in
                    try transaction.put(UInt64(1), bytes("not kept"), in: table)
                    throw CancellationError()
                }
            }
            #expect(try isEnabled())
            #expect(try environment.value(UInt64(1), in: table) == bytes("small"))
        }
        try withEnvironment(.durable) { environment, table in
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

    @Test("After a checkpoint the data file alone holds everything, whatever the rest of the file says")
    func checkpointed() throws {
        let sandbox = try Sandbox()
        try withEnvironment(.durable) { environment, table in
            for row in UInt64(0)..<50 { try environment.put(row, bytes("row \(row)"), in: table) }
            try environment.checkpoint()
            try environment.dataFile().write(to: URL(filePath: sandbox.path("data.mdb")))
            let copy = try Environment.open(at: sandbox.path)
            #expect(try copy.rows(of: copy.tables(["rows"])[0]) == environment.rows(of: table))
        }
    }
}
