public import EventLog
internal import Events

/// Exactly which rows a batch of commits changed.
public struct Invalidation: Sendable, Hashable {
    /// The last position of the batch.
    public let position: Position
    /// The keys of the changed rows by view name, each once, in order; nil if there were too many to name: then
    /// everything counts as changed.
    public let keys: [String: [[UInt8]]]?

    /// The number of named keys.
    var keyCount: Int { keys?.values.reduce(0) { $0 + $1.count } ?? 0 }

    /// The most bytes of named keys.
    static let sizeLimit = 1 << 20
    /// The least number of batches whose changes are kept.
    static let keptBatches = 1024
    /// The number of surplus batches at which the oldest are dropped.
    static let batchesDroppedAtOnce = 128
    /// The value for a batch that changed no row: an empty field, because an empty value means too many.
    static let nothing: [UInt8] = [0x12, 0x00]

    public init(position: Position, keys: [String: [[UInt8]]]?) {
        self.position = position
        self.keys = keys
    }

    /// Each view's name and its keys, in the encoding of `ChangedKeys`; empty if there were too many.
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
