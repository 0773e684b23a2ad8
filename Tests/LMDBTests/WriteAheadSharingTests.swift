import Foundation
import LMDBSupport
import TestSupport
import Testing

@testable import LMDB

@Suite("Several that write ahead")
struct WriteAheadSharingTests {
    @Test("Two processes take turns, and one may be killed: no commit is lost, also if the power is cut then")
    func turns() throws {
        try withEnvironment(.durable) { environment, table in
            var generator = SeededGenerator(seed: 11)
            var expected: [[UInt8]: [UInt8]] = [:]
            for round in 0..<4 {
                for row in 0..<8 {
                    try environment.put(bytes("own\(round).\(row)"), bytes("\(row)"), in: table)
                    expected[bytes("own\(round).\(row)")] = bytes("\(row)")
                }
                let header = try #require(try environment.aheadHeader())
                #expect(header.isEnabled)
                let other = try SecondProcess("commit", environment.path, "other\(round).", round < 2 ? "2" : "9")
                #expect(other.line() == "committed")
                for row in 0..<(round < 2 ? 2 : 9) { expected[bytes("other\(round).\(row)")] = bytes("\(row)") }
                // It opened beside us and repeated nothing, synced our commits, and went on with its own.
                let next = try #require(try environment.aheadHeader())
                #expect(next.generation > header.generation)
                #expect(next.isEnabled == (round >= 2))
                #expect(try environment.rows(of: table) == expected)
                if round % 2 == 0 { other.kill() } else { try other.go() }
                let cut = PowerCut(
                    synced: try environment.dataFile(), written: try environment.dataFile(),
                    ahead: try environment.aheadFile())
                if !next.isEnabled { try cut.expect(expected, &generator, "round \(round)") }
            }
            #expect(try environment.rows(of: table) == expected)
        }
    }

    @Test("A reader beside a writer rolls nothing back")
    func readerBeside() throws {
        try withEnvironment(.durable) { environment, table in
            for row in 0..<9 { try environment.put(bytes("own\(row)"), bytes("\(row)"), in: table) }
            let header = try environment.aheadHeader()
            let other = try SecondProcess("hold", environment.path)
            #expect(other.line() == "holding")
            try environment.put(bytes("last"), bytes("1"), in: table)
            #expect(try environment.aheadHeader() == header)
            #expect(try environment.count(of: table) == 10)
        }
    }

    @Test("A writer that does not know the file is detected, and nothing is repeated over its commits")
    func unaware() throws {
        let sandbox = try Sandbox()
        _ = try Environment.open(at: sandbox.path, options: .quick).tables(["rows"])
        let other = try SecondProcess("fill", sandbox.path, "other", "3")
        #expect(other.line() == "ready")
        let environment = try Environment.open(at: sandbox.path, options: .durable)
        let table = try environment.tables(["rows"])[0]
        for row in 0..<6 { try environment.put(bytes("own\(row)"), bytes("1"), in: table) }
        #expect(try environment.aheadHeader()?.isEnabled == true)
        try other.go()
        #expect(try other.end().code == 0)
        try environment.put(bytes("last"), bytes("1"), in: table)
        #expect(try environment.aheadHeader()?.isEnabled == false)
        #expect(try environment.count(of: table) == 10)
        #expect(try environment.checkStructure() == [])
    }

    @Test("An idle process releases its pages: another's commits do not make the file grow")
    func resting() throws {
        try withEnvironment(.durable) { environment, table in
            for row in 0..<9 { try environment.put(bytes("own\(row)"), bytes("1"), in: table) }
            try environment.checkpoint()
            let before = try environment.information().usedSize
            let other = try SecondProcess("commit", environment.path, "other", "1200")
            #expect(other.line() == "committed")
            try other.go()
            #expect(try other.end().code == 0)
            #expect(try environment.information().usedSize - before < 8 << 20)
            // The first commit after an idle period is written ahead.
            try environment.put(bytes("next"), bytes("1"), in: table)
            try environment.put(bytes("after"), bytes("1"), in: table)
            #expect(try environment.count(of: table) == 1211)
        }
    }
}
