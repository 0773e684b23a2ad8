import Foundation
import LMDBFormat
import Platform

@testable import LMDB

enum TableReading {
    /// Reads every row of a table through LMDB, and again by its key; returns the row count.
    static func check(_ table: Table, _ transaction: borrowing ReadTransaction) throws -> Int {
        var cursor = try transaction.cursor(on: table)
        var count = 0
        var sum = 0
        while let row = try cursor.next() {
            count += 1
            sum &+= row.key.reduce(0) { $0 &+ Int($1) } &+ row.value.reduce(0) { $0 &+ Int($1) }
            let found = try transaction.get(row.key, in: table)
            expect(found.map { $0.elementsEqual(row.value) } ?? false, "a row is not found by its key")
        }
        expect(sum >= 0, "there are too many bytes")
        expect(try transaction.count(of: table) == count, "\(count) rows are counted otherwise")
        var back = 0
        var reversed = try transaction.cursor(on: table)
        var row = try reversed.last()
        while row != nil {
            back += 1
            row = try reversed.previous()
        }
        expect(back == count, "\(back) of \(count) rows are met on the way back")
        return count
    }
}
