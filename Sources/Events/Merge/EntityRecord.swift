/// Everything that the merge knows of one entity: a last-writer-wins register for each path.
///
/// It is a function of the set of merged events, whatever their order, and needs no schema: values are compared and
/// kept as bytes, and unknown paths are kept like all others. `RecordMerger` merges.
public struct EntityRecord: Hashable, Sendable {
    /// The newest write to one path.
    public struct Register: Hashable, Sendable {
        public let path: FieldPath
        public let stamp: Stamp
        /// Nil if the path was cleared.
        public let value: [UInt8]?

        package init(path: FieldPath, stamp: Stamp, value: [UInt8]?) {
            self.path = path
            self.stamp = stamp
            self.value = value
        }
    }

    public let version: EntityVersion
    /// The least creation, or nil if none is held: the entity was edited before its creation arrived.
    public let creation: Stamp?
    /// In path order.
    public let registers: [Register]

    /// The record of an entity without events.
    public init() { self.init(version: .none, creation: nil, registers: []) }

    /// From merged parts: `registers` are in path order, one for each path.
    package init(version: EntityVersion, creation: Stamp?, registers: [Register]) {
        self.version = version
        self.creation = creation
        self.registers = registers
    }

    public var isDeleted: Bool { register(at: .deletion)?.value != nil }

    /// Whether queries show it: created, and not deleted.
    public var isPresent: Bool { creation != nil && !isDeleted }

    /// The newest write in use, or nil if nothing is held.
    public var newest: Stamp? {
        var newest = creation
        for register in registers where newest.map({ register.stamp > $0 }) ?? true { newest = register.stamp }
        return newest
    }

    /// The register of a path. O(log n).
    public func register(at path: FieldPath) -> Register? {
        let index = insertionIndex(of: path)
        return index < registers.count && registers[index].path == path ? registers[index] : nil
    }

    private func insertionIndex(of path: FieldPath) -> Int {
        var low = 0
        var high = registers.count
        while low < high {
            let middle = (low + high) / 2
            if registers[middle].path < path { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
