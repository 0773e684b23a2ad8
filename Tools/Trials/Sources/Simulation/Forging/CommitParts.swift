import EventLog
import Events

/// The fields of a whole commit, to be combined in other ways.
struct CommitParts {
    let header: [UInt8]
    let salt: [UInt8]
    let payload: [UInt8]
    /// Whether the commit may be erased: one about members or about erasures never is.
    let isErasable: Bool

    init(header: [UInt8], salt: [UInt8], payload: [UInt8], isErasable: Bool = true) {
        self.header = header
        self.salt = salt
        self.payload = payload
        self.isErasable = isErasable
    }

    /// Nil if the bytes are no whole commit.
    init?(_ commit: [UInt8]) {
        let parts = commit.withUnsafeBytes { bytes -> CommitParts? in
            guard let view = try? CommitView(bytes), let payload = view.payloadBytes else { return nil }
            return CommitParts(
                header: Array(view.headerBytes), salt: Array(view.salt), payload: Array(payload),
                isErasable: view.header.features & (4 | 16) == 0)
        }
        guard let parts else { return nil }
        self = parts
    }

    /// Header, salt and payload.
    var whole: [UInt8] { written { $0.bytes(3, payload) } }

    /// The header alone, as after an erasure of everything.
    var erased: [UInt8] {
        var writer = WireWriter()
        writer.bytes(1, header)
        return writer.finish()
    }

    /// All leaves but one, whose hash is left: it proves the header's payload hash.
    func holed(at hole: Int) -> [UInt8] {
        let leaves = CommitLeaves(payload, salt: salt)
        let missing = hole % leaves.count
        let kept = (0..<leaves.count).filter { $0 != missing }
        var writer = WireWriter()
        writer.bytes(1, header)
        writer.bytes(3, kept.flatMap(leaves.bytes))
        var number = WireWriter()
        number.rawVarint(UInt64(missing))
        writer.bytes(4, number.finish())
        writer.bytes(5, leaves.hash(of: missing).bytes)
        writer.bytes(6, kept.flatMap(leaves.salt))
        return writer.finish()
    }

    /// The whole commit with an unknown field, which no hash covers: behind the payload, or before it.
    func padded(field: UInt32, atEnd: Bool) -> [UInt8] {
        written { writer in
            if !atEnd { writer.bytes(field, [0x70, 0x61, 0x64]) }
            writer.bytes(3, payload)
            if atEnd { writer.bytes(field, [0x70, 0x61, 0x64]) }
        }
    }

    private func written(_ body: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter(reservingCapacity: header.count + payload.count + 64)
        writer.bytes(1, header)
        writer.bytes(2, salt)
        body(&writer)
        return writer.finish()
    }
}
