import Foundation
import LMDBSupport
import TestSupport
import Testing

@testable import LMDB

/// The files of an environment after a power cut.
///
/// The test knows the most that a medium may hold: everything that was written. Synced data is certainly there; of the
/// rest any part may be, in any order.
struct PowerCut {
    /// The data file when it was last synced, and what has been written to it since.
    var synced: Data
    var written: Data
    /// The write-ahead file, of which every write is synced.
    var ahead: Data

    /// Each page as it was synced or as it was written since, at random.
    func dataFile(_ generator: inout SeededGenerator) -> Data {
        let page = 4096
        let end = Bool.random(using: &generator) ? written.count : max(synced.count, page * 2)
        var file = Data(count: end)
        for start in stride(from: 0, to: end, by: page) {
            let isNew = start >= synced.count || Bool.random(using: &generator)
            let source = isNew ? written : synced
            // An extended file may have got its length before its content.
            if start >= synced.count, Bool.random(using: &generator) { continue }
            let range = start..<min(start + page, end, source.count)
            if !range.isEmpty { file.replaceSubrange(range, with: source[range]) }
        }
        return file
    }

    /// Writes the files into a folder.
    func leave(in path: String, _ generator: inout SeededGenerator) throws {
        try dataFile(&generator).write(to: URL(filePath: path + "/data.mdb"))
        try ahead.write(to: URL(filePath: path + "/" + WriteAheadFile.name))
    }
}

extension PowerCut {
    /// Opens what a power cut left and compares it with the expected rows; then goes on with it.
    func expect(
        _ model: [[UInt8]: [UInt8]], _ generator: inout SeededGenerator, _ comment: Comment
    ) throws {
        let sandbox = try Sandbox()
        try leave(in: sandbox.path, &generator)
        do {
            let environment = try Environment.open(at: sandbox.path)
            let table = try environment.tables(["rows"])[0]
            #expect(try environment.rows(of: table) == model, comment)
            #expect(try environment.checkStructure() == [], comment)
            // Without a whole header, too, there is nothing to repeat.
            #expect(try environment.aheadHeader()?.isEnabled != true, comment)
            try expectAgain(model, repeated: environment.dataFile(), comment)
            for row in UInt64(0)..<6 { try environment.put(row + 1000, bytes("later"), in: table) }
        }
        #expect(try Environment.checkStructure(at: sandbox.path) == [], comment)
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.count(of: environment.tables(["rows"])[0]) == model.count + 6, comment)
    }

    /// The power is cut again, when everything was repeated and the header does not say so yet.
    private func expectAgain(
        _ model: [[UInt8]: [UInt8]], repeated: Data, _ comment: Comment
    ) throws {
        let sandbox = try Sandbox()
        try repeated.write(to: URL(filePath: sandbox.path("data.mdb")))
        try ahead.write(to: URL(filePath: sandbox.path("wal")))
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.rows(of: environment.tables(["rows"])[0]) == model, comment)
        #expect(try environment.checkStructure() == [], comment)
    }
}

extension Environment {
    /// The data file as all see it.
    func dataFile() throws -> Data { try Data(contentsOf: URL(filePath: path + "/data.mdb")) }

    func aheadFile() throws -> Data { try Data(contentsOf: URL(filePath: path + "/" + WriteAheadFile.name)) }

    /// The write-ahead file's header.
    func aheadHeader() throws -> WriteAheadHeader? { try WriteAheadFile(in: path, creating: false)?.header() }
}

extension Environment.Options {
    /// Commits are to survive a power cut, as by default; what is written ahead stays, however slow the machine is.
    static let durable = durable()

    static func durable(mapSize: Int = Environment.Options.defaultMapSize) -> Environment.Options {
        var options = Environment.Options(mapSize: mapSize)
        options.idleTime = .infinity
        return options
    }
}
