import EventLog
import Events

/// The body of an entry of kind 2: erasures of commits that were held before, whose bytes were removed.
enum RemovedBatch {
    private static let erasure: UInt32 = 1

    static func encoded(_ erasures: [Erasure]) -> [UInt8] {
        var writer = WireWriter(reservingCapacity: erasures.reduce(16) { $0 + $1.bytes.count + 8 })
        for erasure in erasures { writer.bytes(Self.erasure, erasure.bytes) }
        return writer.finish()
    }

    static func erasures(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> [Erasure] {
        var reader = WireReader(bytes)
        var found: [Erasure] = []
        while let field = try reader.next() {
            if field.number == erasure {
                found.append(try Erasure([UInt8](try reader.bytes(field))))
            } else {
                try reader.skip(field)
            }
        }
        return found
    }
}
