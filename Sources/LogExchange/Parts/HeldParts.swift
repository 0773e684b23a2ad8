import EventLog
import Events

/// The parts of segments and contents that one side holds aside, so that the other sends only the rest.
///
/// A message with this field says that its sender takes parts.
public struct HeldParts: Sendable, Hashable {
    /// The most of each kind.
    static let most = 64

    /// The last commit of each prefix of a segment that is held.
    var commits: Set<CommitID> = []
    /// How many bytes are held of a commit, or of a content's part, by the hash of all of them (`ContentTree.leaf`).
    var pieces: [Digest: Int] = [:]

    init() {}

    func write(to writer: inout WireWriter) {
        for commit in commits.sorted() { writer.message(1) { commit.write(to: &$0) } }
        for (digest, count) in pieces.sorted(by: { $0.key < $1.key }) {
            writer.message(2) {
                $0.bytes(1, digest.bytes)
                $0.varint(2, UInt64(count))
            }
        }
    }

    init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: commits.insert(try CommitID(message: try reader.bytes(field)))
            case 2:
                let (digest, count) = try Self.piece(try reader.bytes(field))
                pieces[digest] = count
            default: try reader.skip(field)
            }
            guard commits.count <= Self.most, pieces.count <= Self.most else {
                throw WireError("a message names over \(Self.most) parts that are held")
            }
        }
    }

    private static func piece(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> (Digest, Int) {
        var reader = WireReader(bytes)
        var digest: Digest?
        var count: UInt64 = 0
        while let field = try reader.next() {
            switch field.number {
            case 1: digest = Digest(try reader.bytes(field, count: Digest.size))
            case 2: count = try reader.varint(field)
            default: try reader.skip(field)
            }
        }
        guard let digest else { throw WireError("a held piece lacks its hash") }
        return (digest, Int(clamping: count))
    }
}
