import EventLog
import Events

extension Hole {
    /// The most of a response.
    static let mostNamed = 4096

    func write(to writer: inout WireWriter) {
        writer.message(1) { commit.write(to: &$0) }
        writer.bytes(2, missing.bytes.suffix(Self.stateSize))
    }

    init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var commit: CommitID?
        var state: [UInt8]?
        while let field = try reader.next() {
            switch field.number {
            case 1: commit = try CommitID(message: try reader.bytes(field))
            case 2: state = [UInt8](try reader.bytes(field, count: Self.stateSize))
            default: try reader.skip(field)
            }
        }
        guard let commit, let state, let missing = ErasureState(commit.hash.bytes + state) else {
            throw WireError("a hole lacks its commit or its state")
        }
        self.init(commit: commit, missing: missing)
    }

    private static var stateSize: Int { ErasureState.size - Digest.size }

    /// What a request has.
    static func after(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> Digest? {
        var reader = WireReader(bytes)
        var after: Digest?
        while let field = try reader.next() {
            if field.number == 1 {
                after = Digest(try reader.bytes(field, count: Digest.size))
            } else {
                try reader.skip(field)
            }
        }
        return after
    }

    static func list(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> [Hole] {
        var reader = WireReader(bytes)
        var found: [Hole] = []
        while let field = try reader.next() {
            guard field.number == 1 else {
                try reader.skip(field)
                continue
            }
            let hole = try Hole(message: try reader.bytes(field))
            guard found.last.map({ $0.commit.hash < hole.commit.hash }) ?? true else {
                throw WireError("holes are not in the order of their hashes")
            }
            found.append(hole)
            guard found.count <= mostNamed else { throw WireError("over \(mostNamed) holes") }
        }
        return found
    }
}
