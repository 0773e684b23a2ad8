@testable import EventLog
@testable import Events

/// The leaves of a payload and the hash over them, as the log's format describes them.
///
/// Written apart from the library, so that forgeries are compared with the document and not with the same code.
struct CommitLeaves {
    /// The range of each leaf in the payload.
    private let ranges: [Range<Int>]
    private let payload: [UInt8]
    private let salt: [UInt8]

    init(_ payload: [UInt8], salt: [UInt8]) {
        self.payload = payload
        self.salt = salt
        var starts = [0]
        payload.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            while true {
                let start = reader.offset
                guard let field = try? reader.next(), (try? reader.skip(field)) != nil else { break }
                if field.number == Payload.eventField && field.type == .delimited { starts.append(start) }
            }
        }
        ranges = zip(starts, starts.dropFirst() + [payload.count]).map { $0..<$1 }
    }

    var count: Int { ranges.count }

    func bytes(of leaf: Int) -> [UInt8] { Array(payload[ranges[leaf]]) }

    func salt(of leaf: Int) -> [UInt8] {
        var builder = DigestBuilder()
        builder.add([2])
        builder.add(salt)
        builder.add(UInt32(leaf / 2).bigEndianBytes)
        return Array(builder.finish().bytes[leaf % 2 * 16..<leaf % 2 * 16 + 16])
    }

    func hash(of leaf: Int) -> Digest {
        var builder = DigestBuilder()
        builder.add([0])
        builder.add(salt(of: leaf))
        builder.add(bytes(of: leaf))
        return builder.finish()
    }

    /// The payload hash of the header.
    var hash: Digest {
        var builder = DigestBuilder()
        builder.add([1])
        for leaf in ranges.indices { builder.add(hash(of: leaf).bytes) }
        return builder.finish()
    }
}
