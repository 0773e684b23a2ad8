import Foundation
import LMDB
import LMDBFormat
import Platform

/// Changes one byte of a data file after another, and treats each file as a store would.
///
/// `cases` lists offset and mask, 8 and 1 bytes each. `progress` holds the number of the current case, so that the
/// parent process can tell which one ended this one.
func damage(_ path: String, pristine: String, cases: String, progress: String) throws {
    let original = [UInt8](try Data(contentsOf: URL(fileURLWithPath: pristine)))
    let list = [UInt8](try Data(contentsOf: URL(fileURLWithPath: cases)))
    let record = open(progress, O_CREAT | O_WRONLY, 0o600)
    let file = open(path + "/data.mdb", O_CREAT | O_WRONLY, 0o600)
    guard record >= 0, file >= 0 else { throw Unexpected(description: "No files: \(errno)") }
    var outcomes: [Outcome: Int] = [:]
    for start in stride(from: 0, to: list.count, by: 9) {
        let offset = list[start..<start + 8].reduce(0) { $0 << 8 | Int($1) }
        var image = original
        image[offset] ^= list[start + 8]
        let words = "offset \(offset), mask \(list[start + 8])".utf8
        pwrite(record, Array(words) + [10], words.count + 1, 0)
        ftruncate(record, off_t(words.count + 1))
        ftruncate(file, off_t(image.count))
        pwrite(file, image, image.count, 0)
        do {
            outcomes[try use(path), default: 0] += 1
        } catch {
            throw Unexpected(description: "At \(offset), mask \(list[start + 8]): \(error)")
        }
    }
    for outcome in Outcome.allCases { say("\(outcome.rawValue) \(outcomes[outcome] ?? 0)") }
}

private enum Outcome: String, CaseIterable {
    /// Opening it was refused.
    case refused
    /// It opened, and the check found faults.
    case reported
    /// The check found nothing, and everything was read and something written.
    case clean
}

private func use(_ path: String) throws -> Outcome {
    let faults = try Environment.checkStructure(at: path)
    guard let environment = try openUnlessDamaged(path) else {
        guard !faults.isEmpty else { throw Unexpected(description: "refused, but without fault") }
        return .refused
    }
    guard try environment.checkStructure() == faults else {
        throw Unexpected(description: "an open environment shows other faults")
    }
    guard faults.isEmpty else { return .reported }
    // The damage may lie in the name of a table: then the table is missing, and is created again.
    let tables = try environment.tables(["small", "large"])
    try environment.read { transaction in
        for table in tables { try readEverything(transaction, table) }
    }
    try environment.write { transaction in
        for table in tables {
            for number in UInt64(0)..<12 {
                try transaction.put(number * 31, [UInt8](repeating: 9, count: Int(number) * 500), in: table)
                try transaction.delete(number * 17, in: table)
            }
        }
        try transaction.clear(tables[1])
    }
    guard try environment.checkStructure().allSatisfy({ !$0.isDangerous }) else {
        throw Unexpected(description: "faults after writing")
    }
    return .clean
}

private func openUnlessDamaged(_ path: String) throws -> Environment? {
    do {
        return try Environment.open(at: path, options: Environment.Options(durability: .unsynced))
    } catch {
        if error.code == .damaged { return nil }
        throw error
    }
}

private func readEverything(_ transaction: borrowing ReadTransaction, _ table: Table) throws {
    var rows = 0
    var sum = 0
    var cursor = try transaction.cursor(on: table)
    while let row = try rows == 0 ? cursor.first() : cursor.next() {
        rows += 1
        // A byte of every page is enough to touch missing memory.
        for place in stride(from: 0, to: row.value.count, by: 512) { sum += Int(row.value[place]) }
        if let last = row.value.last { sum += Int(last) }
        guard try transaction.get(row.key, in: table)?.count == row.value.count else {
            throw Unexpected(description: "row \(rows) is not found by its key")
        }
    }
    guard try rows == transaction.count(of: table) else {
        throw Unexpected(description: "\(rows) rows of \(try transaction.count(of: table))")
    }
}
