import Events
import Foundation
import LMDB

@testable import LogExchange

/// The messages of a bundle's records, to be changed and written again.
struct BundleRecords {
    var messages: [[UInt8]]

    init(messages: [[UInt8]]) { self.messages = messages }

    init(of file: URL) throws {
        var found: [[UInt8]] = []
        let bytes = [UInt8](try Data(contentsOf: file))
        var rest = bytes.dropFirst(BundleRecord.magic.count).dropLast(Digest.size)
        while rest.count >= 4 {
            let length = Int(Array(rest.prefix(4)).withUnsafeBytes { $0.bigEndian(UInt32.self) })
            found.append(Array(rest.dropFirst(4).prefix(length)))
            rest = rest.dropFirst(4 + length)
        }
        messages = found
    }

    /// The bytes of a file with the right checksum.
    var file: [UInt8] {
        var bytes = BundleRecord.magic
        for message in messages { bytes += UInt32(message.count).bigEndianBytes + message }
        return (bytes + [UInt8](repeating: 0, count: Digest.size)).withChecksum()
    }

    /// A record of an earlier version: erasures of commits that a reader may hold.
    static func erasures(_ erasures: [[UInt8]]) -> [UInt8] {
        var writer = WireWriter()
        writer.message(4) { for erasure in erasures { $0.bytes(1, erasure) } }
        return writer.finish()
    }
}
