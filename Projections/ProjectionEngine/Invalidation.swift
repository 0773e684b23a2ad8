public import EventLog
internal import Events

/// Exactly which rows a batch of commits changed.
public struct Invalidation: Sendable, Hashable {
    /// The last position of the batch.
    public let position: Position
    /// The keys of the changed rows by the name of their view, each once, in order; nil if there were too many to
    /// name: then everything counts as changed.
    public let keys: [String: [[UInt8]]]?

    /// How many keys are named.
    var keyCount: Int { keys?.values.reduce(0) { $0 + $1.count } ?? 0 }

    /// The most bytes of keys that are named.
    static let sizeLimit = 1 << 20
    /// How many batches back changes are kept.
    static let keptBatches = 1024

    public init(position: Position, keys: [String: [[UInt8]]]?) {
        self.position = position
        self.keys = keys
    }

    /// Nothing at all if there were too many; else each view's name, the number of its keys, and those.
    func encoded() -> [UInt8] {
        var writer = WireWriter()
        guard let keys else { return [] }
        for (name, keys) in keys.sorted(by: { $0.key < $1.key }) {
            writer.message(1) {
                $0.string(1, name)
                for key in keys { $0.bytes(2, key) }
            }
            if writer.bytes.count > Self.sizeLimit { return [] }
        }
        return writer.bytes.isEmpty ? [0x12, 0x00] : writer.bytes
    }

    init(position: Position, _ bytes: UnsafeRawBufferPointer) throws(WireError) {
        self.position = position
        guard !bytes.isEmpty else {
            keys = nil
            return
        }
        var found: [String: [[UInt8]]] = [:]
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            guard field.number == 1 else {
                try reader.skip(field)
                continue
            }
            var name = ""
            var keys: [[UInt8]] = []
            var view = WireReader(try reader.bytes(field))
            while let field = try view.next() {
                switch field.number {
                case 1: name = try view.string(field)
                case 2: keys.append([UInt8](try view.bytes(field)))
                default: try view.skip(field)
                }
            }
            found[name] = keys
        }
        keys = found
    }
}
