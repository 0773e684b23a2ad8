import Dispatch
import Foundation
import LMDB
import LMDBFormat
import Platform
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import ProjectionEngine

@Suite("Loading rows in bulk")
struct BulkLoaderTests {
    private let folder = TemporaryFolder()

    private func file() throws -> DataFileBuilder {
        try Folder.create(folder.url.path)
        return try DataFileBuilder(in: folder.url.path)
    }

    /// Rows of two parts, with keys that begin with a number.
    private static func parts(_ number: Int, rows: Int = 50) -> [BulkLoader.Part] {
        var sink = RowSink()
        for row in 0..<rows {
            sink.put(
                key: { key in
                    key.append(UInt32(number))
                    key.append(UInt32(row))
                }, value: { $0.append(UInt64(number)) })
        }
        return [0, 3].map { BulkLoader.Part(number: $0, rows: sink) }
    }

    private func count(_ file: DataFileBuilder) -> [Int] { [0, 3].map { file.count(ofPart: $0) } }

    @Test("Rows of several threads are loaded in the order of their numbers, and then those without", arguments: 1...3)
    func order(threads: Int) throws {
        let file = try file()
        let loader = BulkLoader(file) { _ in }
        let next = Mutex(0)
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            while let number = next.withLock({ next -> Int? in
                defer { next += 1 }
                return next < 60 ? next : nil
            }) {
                var parts = Self.parts(number)
                // Rows out of order would be refused.
                do { try loader.load(&parts, number: number) } catch {
                    failures.withLock { $0.append("\(error)") }
                }
                if !parts.allSatisfy({ $0.rows.isEmpty }) { failures.withLock { $0.append("rows came back") } }
            }
        }
        var rest = Self.parts(60)
        try loader.load(&rest)
        try loader.finish()
        #expect(failures.withLock { $0 } == [])
        #expect(count(file) == [61 * 50, 61 * 50])
        loader.stop()
    }

    @Test("A caller that waits for its turn gets an error when the loader is skipped, and stopping waits for no caller")
    func skipped() throws {
        let file = try file()
        let loader = BulkLoader(file) { _ in }
        // The first is missing; as many as may wait for it.
        for number in 1...4 {
            var parts = Self.parts(number)
            try loader.load(&parts, number: number)
        }
        let (isAsking, isTold) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let wasCancelled = Mutex(false)
        DispatchQueue.global().async {
            var parts = Self.parts(5)
            isAsking.signal()
            do { try loader.load(&parts, number: 5) } catch {
                wasCancelled.withLock { $0 = error is CancellationError }
            }
            isTold.signal()
        }
        isAsking.wait()
        loader.skip()
        try #require(isTold.wait(timeout: .now() + 30) == .success)
        #expect(wasCancelled.withLock { $0 })
        #expect(throws: CancellationError.self) { try loader.finish() }
        loader.stop()
        #expect(count(file) == [0, 0])
    }

    @Test("A failure with some rows is thrown to later callers, and at the end")
    func failure() throws {
        let file = try file()
        let loader = BulkLoader(file) { _ in }
        for (place, number) in [7, 3].enumerated() {
            var parts = Self.parts(number)
            try? loader.load(&parts, number: place)
        }
        #expect(throws: (any Error).self) { try loader.finish() }
        #expect(throws: (any Error).self) {
            var parts = Self.parts(9)
            try loader.load(&parts, number: 2)
        }
        loader.stop()
    }
}
