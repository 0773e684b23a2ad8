import LMDB
import LMDBSupport
import Platform
import Testing

@Suite("Transactions")
struct TransactionTests {
    private struct Refusal: Error, Equatable {
        let reason: Int
    }

    @Test("What is committed is there in the next transaction, and counted")
    func commit() throws {
        try withEnvironment { environment, table in
            let number = try environment.read { $0.number }
            try environment.write { transaction in
                try transaction.put(bytes("b"), bytes("2"), in: table)
                try transaction.put(bytes("a"), bytes("1"), in: table)
                #expect(try transaction.reading.get(bytes("a"), in: table).map { Array($0) } == bytes("1"))
                #expect(try transaction.reading.count(of: table) == 2)
            }
            #expect(try environment.rows(of: table) == [bytes("a"): bytes("1"), bytes("b"): bytes("2")])
            #expect(try environment.count(of: table) == 2)
            #expect(try environment.read { $0.number } == number + 1)
            #expect(try environment.information().lastTransaction == number + 1)
            #expect(try environment.read { try $0.size(of: table) } == 4096)
        }
    }

    @Test("A closure that throws writes nothing, and its own error comes out as it was")
    func abort() throws {
        try withEnvironment { environment, table in
            try environment.put(bytes("a"), bytes("1"), in: table)
            #expect(throws: Refusal(reason: 7)) {
                try environment.write { transaction in
                    try transaction.put(bytes("a"), bytes("2"), in: table)
                    try transaction.clear(table)
                    throw Refusal(reason: 7)
                }
            }
            #expect(throws: Refusal(reason: 8)) { try environment.read { _ in throw Refusal(reason: 8) } }
            func typed(_ transaction: borrowing WriteTransaction) throws(Refusal) { throw Refusal(reason: 9) }
            #expect(throws: Refusal(reason: 9)) { try environment.write(typed) }
            #expect(try environment.rows(of: table) == [bytes("a"): bytes("1")])
            // Nothing is left locked.
            try environment.put(bytes("b"), bytes("2"), in: table)
        }
    }

    @Test("A snapshot does not see what is committed after it began")
    func snapshot() throws {
        try withEnvironment { environment, table in
            try environment.put(bytes("a"), bytes("1"), in: table)
            try environment.read { transaction in
                let failures = concurrently(1) { _ in try environment.put(bytes("a"), bytes("2"), in: table) }
                #expect(failures == [])
                let found = try transaction.get(bytes("a"), in: table).map { Array($0) }
                #expect(found == bytes("1"))
            }
            #expect(try environment.value(bytes("a"), in: table) == bytes("2"))
        }
    }

    @Test("Deleting returns whether there was a row; clearing leaves none")
    func deletion() throws {
        try withEnvironment { environment, table in
            try environment.put(bytes("a"), bytes("1"), in: table)
            try environment.put(bytes("b"), bytes("1"), in: table)
            try environment.write { transaction in
                let answers = try [
                    transaction.delete(bytes("a"), in: table), transaction.delete(bytes("a"), in: table),
                ]
                #expect(answers == [true, false])
                #expect(try transaction.reading.get(bytes("a"), in: table) == nil)
            }
            #expect(try environment.count(of: table) == 1)
            try environment.write { try $0.clear(table) }
            #expect(try environment.count(of: table) == 0)
            try environment.read { transaction in
                var cursor = try transaction.cursor(on: table)
                #expect(try cursor.first() == nil)
                #expect(try cursor.last() == nil)
            }
        }
    }

    @Test("A write inside a write on the same thread is refused and not waited for")
    func nestedWrite() throws {
        try withEnvironment { environment, table in
            #expect(code { try environment.write { _ in try environment.write { _ in } } } == .nested)
            #expect(code { try environment.write { _ in _ = try environment.tables(["more"]) } } == .nested)
            try environment.put(bytes("a"), bytes("1"), in: table)
        }
    }

    @Test("Writers on many threads take turns, and none is lost")
    func turns() throws {
        try withEnvironment { environment, table in
            let failures = concurrently(8) { _ in
                for _ in 0..<50 {
                    try environment.write { transaction in
                        let value = try transaction.reading.get(bytes("count"), in: table)
                        let old = value?.loadUnaligned(as: UInt64.self) ?? 0
                        try transaction.put(
                            bytes("count"), withUnsafeBytes(of: old + 1) { Array($0) }, in: table)
                    }
                }
            }
            #expect(failures == [])
            let count = try #require(try environment.value(bytes("count"), in: table))
            #expect(count.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } == 400)
        }
    }
}
