import Foundation
import LMDB
import LMDBSupport
import Platform
import Testing

@Suite("Two processes")
struct ProcessTests {
    @Test(
        "Two that grow one environment at once lose no row, while a third reads all along")
    func growth() throws {
        let sandbox = try Sandbox()
        let rows = 400
        let fillers = try ["a", "b"].map { try SecondProcess("fill", sandbox.path, $0, "\(rows)") }
        for filler in fillers { #expect(filler.line() == "ready") }
        let watcher = try SecondProcess("watch", sandbox.path, "\(2 * rows)")
        #expect(watcher.line() == "ready")
        for filler in fillers { try filler.go() }
        for process in fillers + [watcher] {
            let end = try process.end()
            #expect(end.code == 0, "\(end)")
        }
        let environment = try Environment.open(at: sandbox.path, options: .map(64 << 10))
        let table = try environment.tables(["rows"])[0]
        let expected = ["a", "b"].flatMap { prefix in (0..<rows).map { bytes("\(prefix)\($0)") } }
        #expect(try Set(environment.rows(of: table).keys) == Set(expected))
        #expect(try environment.checkStructure() == [])
    }

    @Test(
        "Threads of this process read, write and check while another makes the map grow")
    func growthFromOutside() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(
            at: sandbox.path, options: .map(64 << 10))
        let table = try environment.tables(["rows"])[0]
        let filler = try SecondProcess("fill", sandbox.path, "a", "600")
        #expect(filler.line() == "ready")
        try filler.go()
        let failures = concurrently(5) { number in
            var round = 0
            repeat {
                round += 1
                switch number {
                case 0: try environment.put(bytes("own \(round % 50)"), [UInt8(round % 256)], in: table)
                case 1:
                    let faults = try environment.checkStructure()
                    if let fault = faults.first { throw fault }
                default: _ = try environment.rows(of: table)
                }
            } while try environment.value(bytes("a599"), in: table) == nil
        }
        #expect(failures == [])
        #expect(try filler.end().code == 0)
        #expect(try environment.rows(of: table).keys.filter { $0[0] == UInt8(ascii: "a") }.count == 600)
        #expect(try environment.checkStructure() == [])
    }

    @Test(
        "A reader that was killed holds nothing back once it is cleared, by hand or by opening",
        arguments: [true, false])
    func staleReaders(byHand: Bool) throws {
        let sandbox = try Sandbox()
        try autoreleased {
            let environment = try Environment.open(at: sandbox.path, options: .quick)
            _ = try environment.tables(["rows"])
            let reader = try SecondProcess("hold", sandbox.path)
            #expect(reader.line() == "holding")
            #expect(try environment.clearStaleReaders() == 0)
            let before = try environment.information().readers
            reader.kill()
            if byHand {
                #expect(try environment.clearStaleReaders() == 1)
                #expect(try environment.information().readers == before)
            }
        }
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        #expect(try environment.clearStaleReaders() == 0)
        #expect(try environment.checkStructure() == [])
    }

    private func autoreleased(_ body: () throws -> Void) throws { try body() }

    @Test("When dead processes hold every reader slot, the slots are cleared and reading goes on")
    func slotsOfTheDead() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(at: sandbox.path, options: .init(durability: .unsynced, maxReaders: 2))
        let table = try environment.tables(["rows"])[0]
        let dead = try (0..<2).map { _ in try SecondProcess("hold", sandbox.path) }
        for reader in dead { #expect(reader.line() == "holding") }
        #expect(code { _ = try environment.count(of: table) } == .readersFull)
        for reader in dead { reader.kill() }
        #expect(try environment.count(of: table) == 0)
        #expect(try environment.checkStructure() == [])
    }

    @Test(
        "A process that dies while writing leaves nothing written and nothing locked")
    func deathOfAWriter() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        let table = try environment.tables(["rows"])[0]
        try environment.put([1], [1], in: table)
        #expect(try SecondProcess("die", sandbox.path).end().code == 7)
        try environment.put([2], [2], in: table)
        #expect(try environment.rows(of: table) == [[1]: [1], [2]: [2]])
        #expect(try environment.checkStructure() == [])
    }

    @Test("The child of a fork may not use the parent's environment, opens its own, and the parent's still works")
    func fork() throws {
        let sandbox = try Sandbox()
        let end = try SecondProcess("fork", sandbox.path).end()
        let refusals = [String](repeating: "forked", count: 4)
        #expect(end.output.split(separator: "\n").map(String.init) == refusals + ["child wrote", "child ended with 0"])
        #expect(end.code == 0)
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        let rows = try environment.rows(of: environment.tables(["rows"])[0])
        #expect(Set(rows.keys) == [bytes("child"), bytes("parent")])
        #expect(try environment.checkStructure() == [])
    }
}
