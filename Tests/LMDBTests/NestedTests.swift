import Foundation
import LMDB
import LMDBSupport
import Platform
import Testing

@Suite("Reads and writes inside of reads")
struct NestedTests {
    @Test("A read or a write inside a read of the same environment is refused, and nothing is left behind")
    func refused() throws {
        try withEnvironment { environment, table in
            try environment.put([1], [1], in: table)
            try environment.read { transaction in
                let codes = [
                    code { try environment.read { _ in } }, code { try environment.put([2], [2], in: table) },
                    code { _ = try environment.tables(["others"]) },
                    code { _ = try environment.tables(["rows"], creating: false) },
                ]
                #expect(codes == [.nested, .nested, .nested, .nested])
                let count = try transaction.count(of: table)
                #expect(count == 1)
            }
            #expect(code { try environment.write { _ in try environment.put([3], [3], in: table) } } == .nested)
            #expect(throws: CancellationError.self) { try environment.read { _ in throw CancellationError() } }
            try environment.put([2], [2], in: table)
            #expect(try environment.count(of: table) == 2)
        }
    }

    @Test("Other environments may be read and written meanwhile, and this one by other threads")
    func others() throws {
        try withEnvironment { environment, table in
            try withEnvironment { other, otherTable in
                try environment.read { _ in
                    try other.read { _ in
                        let inner = code { try environment.read { _ in } }
                        #expect(inner == .nested)
                    }
                    try other.put([1], [1], in: otherTable)
                    #expect(concurrently(2) { _ in try environment.put([1], [1], in: table) } == [])
                }
                #expect(try other.count(of: otherTable) == 1)
            }
            #expect(try environment.count(of: table) == 1)
        }
    }
}
