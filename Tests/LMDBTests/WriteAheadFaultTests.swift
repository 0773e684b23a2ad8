import Foundation
import LMDBSupport
import Platform
import TestSupport
import Testing

@testable import LMDB

@Suite("Faults while commits are written ahead")
struct WriteAheadFaultTests {
    @Test("A failed write to the file costs its own commit alone, and brings that not back", arguments: [false, true])
    func failedWrite(isCheckpointed: Bool) throws {
        try withEnvironment(.durable) { environment, table in
            for row in 0..<6 { try environment.put(bytes("before\(row)"), bytes("1"), in: table) }
            if isCheckpointed { try environment.checkpoint() }
            #expect(try environment.aheadHeader()?.isEnabled == !isCheckpointed)
            let before = try environment.dataFile()
            let file = try #require(environment.ahead?.file)
            file.fault = EIO
            // Neither the frame nor its invalidation is known to be on the medium.
            let failure = #expect(throws: StorageError.self) {
                try environment.put(bytes("failed"), bytes("1"), in: table)
            }
            #expect(failure?.code == .outcomeUnknown)
            // The cause's own advice assumes that nothing was written.
            #expect(failure?.message.contains("not known") == true)
            #expect(failure?.message.localizedCaseInsensitiveContains("nothing was written") == false)
            #expect(failure?.message.localizedCaseInsensitiveContains("try again") == false)
            // Nothing is written here, and so nothing follows; but a header that may be there is not left as it is.
            #expect(code { try environment.write { _ in } } == (isCheckpointed ? .inputOutput : nil))
            var generator = SeededGenerator(seed: 3)
            var model = try environment.rows(of: table)
            #expect(model.count == 6)
            file.fault = 0
            if isCheckpointed {
                // It was to be enabled. The header says disabled: the data file is as it was.
                let cut = PowerCut(synced: before, written: before, ahead: try environment.aheadFile())
                try cut.expect(model, &generator, "turned on in vain")
            }
            for row in 0..<5 { try environment.put(bytes("after\(row)"), bytes("1"), in: table) }
            // Enabling failed, and is tried again later.
            #expect(try environment.aheadHeader()?.isEnabled == !isCheckpointed)
            model = try environment.rows(of: table)
            #expect(model.count == 11)
            let cut = PowerCut(
                synced: try environment.dataFile(), written: try environment.dataFile(),
                ahead: try environment.aheadFile())
            try cut.expect(model, &generator, "after a failed write")
        }
    }

    @Test("A process that has it open stops writing when another's sync has failed")
    func lostMeanwhile() throws {
        try withEnvironment(.durable) { environment, table in
            for row in 0..<6 { try environment.put(bytes("own\(row)"), bytes("1"), in: table) }
            let file = try #require(try WriteAheadFile(in: environment.path, creating: false))
            let header = try #require(try file.header())
            var marked = header
            marked.syncFailed = true
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
        try withEnvironment(.durable) { environment, table in
            for row in 0..<6 { try environment.put(bytes("own\(row)"), bytes("1"), in: table) }
            let generation = try environment.aheadHeader()?.generation ?? 0
            let file = try #require(environment.ahead?.file)
            file.fault = EIO
            #expect(throws: StorageError.self) { try environment.checkpoint() }
            file.fault = 0
            try environment.put(bytes("large"), [UInt8](repeating: 1, count: 200_000), in: table)
            let header = try #require(try environment.aheadHeader())
            #expect(!header.isEnabled)
            #expect(header.generation > generation + 1)
            #expect(try environment.count(of: table) == 7)
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
            var failure: StorageError.Code?
            while failure == nil, written < 8000 {
                failure = code { try environment.put(UInt64(written), [UInt8](repeating: 5, count: 9000), in: table) }
                if failure == nil { written += 1 }
            }
            #expect(failure == .diskFull)
            #expect(written > 1000)
            #expect(try environment.aheadHeader()?.isEnabled == true)
            #expect(try environment.count(of: table) == written)
        }
        // Room for what is repeated.
        let environment = try Environment.open(at: path, options: Environment.Options(.reading))
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
}
