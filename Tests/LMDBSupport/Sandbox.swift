import Foundation
package import LMDB
package import LMDBFormat
package import Platform
import Testing

/// A folder of its own for a test, deleted at its end.
package final class Sandbox {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("lmdb-\(UUID().uuidString)").path
        try Folder.create(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func path(_ name: String) -> String { "\(path)/\(name)" }
}

extension Environment.Options {
    /// Most tests need no durability.
    package static let quick = Environment.Options(durability: .unsynced)

    package static func map(_ bytes: Int) -> Environment.Options {
        Environment.Options(durability: .unsynced, mapSize: bytes)
    }
}

/// Opens a fresh environment with one table, and checks its structure, open and closed, after `body`.
package func withEnvironment(
    _ options: Environment.Options = .quick, _ body: (Environment, Table) throws -> Void
) throws {
    let sandbox = try Sandbox()
    try withExtendedLifetime(sandbox) {
        try autoclosed(sandbox.path, options, body)
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
    }
}

private func autoclosed(
    _ path: String, _ options: Environment.Options, _ body: (Environment, Table) throws -> Void
) throws {
    let environment = try Environment.open(at: path, options: options)
    try body(environment, environment.tables(["rows"])[0])
    #expect(try environment.checkStructure() == [])
}

/// A number as a key of 8 bytes that sorts as it does.
package func bytes(_ number: UInt64) -> [UInt8] { number.withBytes { Array($0) } }

package func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

extension Environment {
    package func put(_ key: some ByteSource, _ value: some ByteSource, in table: Table) throws {
        try write { try $0.put(key, value, in: table) }
    }

    package func value(_ key: some ByteSource, in table: Table) throws -> [UInt8]? {
        try read { try $0.get(key, in: table).map { Array($0) } }
    }

    package func count(of table: Table) throws -> Int {
        try read { try $0.count(of: table) }
    }

    /// Every row, in order.
    package func rows(of table: Table) throws -> [[UInt8]: [UInt8]] {
        try read { transaction in
            var rows: [[UInt8]: [UInt8]] = [:]
            var cursor = try transaction.cursor(on: table)
            while let row = try cursor.next() { rows[Array(row.key)] = Array(row.value) }
            return rows
        }
    }
}

/// The code of the `StorageError` that `body` throws.
package func code(_ body: () throws -> Void) -> StorageError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}
