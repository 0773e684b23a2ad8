import Events

/// Takes the parts of one accumulating row, in the order of their names.
public struct RowParts: ~Copyable {
    /// The row in the making.
    var bytes = RowBytes()
    /// What cannot be kept.
    private(set) var objection: RowSink.Objection?
    /// Where the name of the part before lies.
    private var last: Range<Int>?

    init() {}

    /// Adds to a part, its name written in place. Names have up to 255 bytes.
    public mutating func add(count: Int64 = 1, amount: Int128 = 0, name: (inout RowBytes) -> Void) {
        let start = bytes.count + 1
        let length = bytes.append(Accumulation(count: count, amount: amount), part: name)
        guard bytes.count >= start else { return }
        let range = start..<start + length
        if length > AccumulatedParts.nameLimit { objection = objection ?? .partSize(length) }
        if let last, !bytes.withBytes({ $0.part(last).isBelow($0.part(range)) }) { objection = objection ?? .partOrder }
        last = range
    }
}
