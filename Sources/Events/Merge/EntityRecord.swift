/// Everything that the merge knows of one entity: a last-writer-wins register for each path.
///
/// It is a function of the set of events applied, whatever their order, and needs no schema: values are compared and
/// kept as bytes, and paths that nobody here knows are kept like all others.
public struct EntityRecord: Hashable, Sendable {
    /// The newest write to one path.
    public struct Register: Hashable, Sendable {
        public let path: Path
        public internal(set) var stamp: Stamp
        /// Nil if the path was cleared.
        public internal(set) var value: [UInt8]?

        package init(path: Path, stamp: Stamp, value: [UInt8]?) {
            self.path = path
            self.stamp = stamp
            self.value = value
        }
    }

    public internal(set) var version = EntityVersion.none
    /// The least creation, or nil if none is held: the entity was edited before it came to be.
    public internal(set) var creation: Stamp?
    /// In the order of their paths.
    public internal(set) var registers: [Register] = []

    public init() {}

    /// Of what was merged elsewhere: `registers` are in the order of their paths, one for each.
    package init(version: EntityVersion, creation: Stamp?, registers: [Register]) {
        self.version = version
        self.creation = creation
        self.registers = registers
    }

    public var isDeleted: Bool { register(at: .deletion)?.value != nil }

    /// Whether queries show it: created, and not deleted.
    public var isPresent: Bool { creation != nil && !isDeleted }

    /// The newest write that still counts, or nil if nothing is held.
    public var newest: Stamp? {
        var newest = creation
        for register in registers where newest.map({ register.stamp > $0 }) ?? true { newest = register.stamp }
        return newest
    }

    /// The register of a path. O(log n).
    public func register(at path: Path) -> Register? {
        let index = insertionIndex(of: path)
        return index < registers.count && registers[index].path == path ? registers[index] : nil
    }

    /// Merges an event of the commit of a stamp. Events of one commit are applied in their order.
    ///
    /// Throws `WireError` if a change cannot be read; the record is then not to be used.
    public mutating func apply(_ event: borrowing EventView, index: Int, stamp: Stamp) throws(WireError) {
        let stamp = stamp.moved(to: event.original)
        note(event.verb, index: index, stamp: stamp)
        var late: [Register] = []
        try event.forEachChange { change throws(WireError) in
            write(
                Path(field: change.field, key: [UInt8](change.key)), change.value.map { [UInt8]($0) }, stamp, &late)
        }
        if !late.isEmpty { merge(late) }
    }

    /// Merges an event that is about to be written.
    public mutating func apply(_ event: Event, index: Int, stamp: Stamp) {
        apply(event.verb, event.changes, index: index, stamp: stamp.moved(to: event.original))
    }

    /// The same, of an event's parts.
    package mutating func apply(_ verb: Verb, _ changes: [Change], index: Int, stamp: Stamp) {
        note(verb, index: index, stamp: stamp)
        if registers.isEmpty { registers.reserveCapacity(changes.count) }
        var late: [Register] = []
        for change in changes { write(change.path, change.value, stamp, &late) }
        if !late.isEmpty { merge(late) }
    }

    private mutating func note(_ verb: Verb, index: Int, stamp: Stamp) {
        version = version.adding(stamp, index: index)
        var late: [Register] = []
        switch verb {
        case .created: creation = min(creation ?? stamp, stamp)
        case .deleted: write(.deletion, [1], stamp, &late)
        case .restored: write(.deletion, nil, stamp, &late)
        default: break
        }
        if !late.isEmpty { merge(late) }
    }

    /// How many registers are moved to make room for one.
    private static let fewToMove = 64

    /// A register that would go far before the last one is added to `late`, for `merge`: to move what lies behind for each would
    /// take time with the square of an event's changes.
    private mutating func write(_ path: Path, _ value: [UInt8]?, _ stamp: Stamp, _ late: inout [Register]) {
        // Mostly they come in order.
        let isLast = registers.last.map { $0.path < path } ?? true
        let index = isLast ? registers.count : insertionIndex(of: path)
        if index < registers.count, registers[index].path == path {
            // Equal stamps are of one commit, whose later event wins.
            guard stamp >= registers[index].stamp else { return }
            registers[index].stamp = stamp
            registers[index].value = value
        } else if late.isEmpty, registers.count - index <= Self.fewToMove {
            registers.insert(Register(path: path, stamp: stamp, value: value), at: index)
        } else {
            late.append(Register(path: path, stamp: stamp, value: value))
        }
    }

    /// Brings the late registers of one event to their places, of which none is taken: of those of one path the last counts.
    /// O(n + m log m) for m among n.
    private mutating func merge(_ late: [Register]) {
        // Where events change a path each, to copy all registers for each would take memory with the square of their number.
        if late.count == 1 {
            registers.insert(late[0], at: insertionIndex(of: late[0].path))
            return
        }
        // Those of one path stay in the order in which they came.
        let places = late.indices.sorted { one, other in
            late[one].path < late[other].path || one < other && !(late[other].path < late[one].path)
        }
        var merged: [Register] = []
        merged.reserveCapacity(registers.count + late.count)
        var old = 0
        for (number, place) in places.enumerated() {
            let register = late[place]
            if number + 1 < places.count, late[places[number + 1]].path == register.path { continue }
            while old < registers.count, registers[old].path < register.path {
                merged.append(registers[old])
                old += 1
            }
            merged.append(register)
        }
        merged += registers[old...]
        registers = merged
    }

    private func insertionIndex(of path: Path) -> Int {
        var low = 0
        var high = registers.count
        while low < high {
            let middle = (low + high) / 2
            if registers[middle].path < path { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
