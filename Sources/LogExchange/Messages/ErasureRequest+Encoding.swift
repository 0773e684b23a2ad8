import EventLog
package import Events

extension ErasureRequest {
    func write(to writer: inout WireWriter) {
        writer.bytes(1, journal.bytes)
        if !states.isEmpty { writer.bytes(2, states.flatMap(\.bytes)) }
        if let after { writer.bytes(3, after.bytes) }
        if let upTo { writer.bytes(4, upTo.bytes) }
    }

    init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var journal: JournalID?
        var states: [ErasureState] = []
        var (after, upTo): (Digest?, Digest?)
        while let field = try reader.next() {
            switch field.number {
            case 1: journal = JournalID(try reader.uuid(field))
            case 2:
                let all = [UInt8](try reader.bytes(field))
                guard all.count % ErasureState.size == 0, all.count / ErasureState.size <= Self.mostStates else {
                    throw WireError("\(all.count) bytes are no states, or more than \(Self.mostStates)")
                }
                states = stride(from: 0, to: all.count, by: ErasureState.size).compactMap {
                    ErasureState(Array(all[$0..<$0 + ErasureState.size]))
                }
            case 3: after = Digest(try reader.bytes(field, count: Digest.size))
            case 4: upTo = Digest(try reader.bytes(field, count: Digest.size))
            default: try reader.skip(field)
            }
        }
        guard let journal else { throw WireError("a request lacks its journal") }
        self.init(journal: journal, states: states, after: after, upTo: upTo)
    }
}

extension ErasureBatch {
    /// The message's bytes.
    package func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: erasures.reduce(64) { $0 + $1.count + 8 })
        write(to: &writer)
        return writer.finish()
    }

    func write(to writer: inout WireWriter) {
        for erasure in erasures { writer.bytes(1, erasure) }
        for commit in lacking { writer.bytes(2, commit.bytes) }
    }

    package init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        self.init()
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1:
                erasures.append([UInt8](try reader.bytes(field)))
                guard erasures.count <= Self.mostErasures else { throw WireError("over \(Self.mostErasures) erasures") }
            case 2: if let hash = Digest(try reader.bytes(field, count: Digest.size)) { lacking.append(hash) }
            default: try reader.skip(field)
            }
        }
    }
}
