import CPeer
import Events
import Foundation
import TripStore

/// The peer in C, with errors as Swift has them.
final class CEnvironment {
    private let peer: OpaquePointer
    private(set) var count: UInt64 = 0

    /// Opens it in a folder, which is created if necessary.
    init(_ folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var opened: OpaquePointer?
        try Self.check(cpeer_open(folder.path, 64 << 30, &opened))
        guard let opened else { throw BenchError("LMDB did not open \(folder.path).") }
        peer = opened
    }

    deinit { cpeer_close(peer) }

    static var version: String { String(cString: cpeer_version()) }

    private static func check(_ code: Int32) throws {
        if code != 0 { throw BenchError("LMDB: \(String(cString: cpeer_error(code)))") }
    }

    /// One record in a transaction of its own.
    func put(_ bytes: [UInt8]) throws {
        try Self.check(bytes.withUnsafeBytes { cpeer_put(peer, count, $0.baseAddress, $0.count) })
        count += 1
    }

    /// Records in one transaction.
    func append(_ records: Records) throws {
        try Self.check(
            records.bytes.withUnsafeBytes {
                cpeer_append(peer, count, $0.baseAddress, records.lengths, records.lengths.count)
            })
        count += UInt64(records.lengths.count)
    }

    /// Touches every byte and returns the number of records.
    func scan() throws -> UInt64 {
        var found: UInt64 = 0
        var sum: UInt64 = 0
        try Self.check(cpeer_scan(peer, &found, &sum))
        return sum == 0 ? 0 : found
    }

    /// Records, concatenated.
    struct Records: Sendable {
        var bytes: [UInt8] = []
        var lengths: [UInt32] = []

        /// The events of a commit, each the bytes that the log holds of it.
        init(_ payload: Payload) throws {
            let encoded = payload.encoded()
            try encoded.withUnsafeBytes { buffer in
                for range in try PayloadView(buffer).outline().events {
                    bytes.append(contentsOf: buffer[Int(range.lowerBound)..<Int(range.upperBound)])
                    lengths.append(range.upperBound - range.lowerBound)
                }
            }
        }
    }
}
