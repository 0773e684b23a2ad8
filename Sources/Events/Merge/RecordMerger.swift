/// Merges the events of one entity: the only merge, for views, planned commits and rebuilds. It copies no value before the
/// record is written out.
///
/// Records and events are referenced, not copied: they must stay in memory until `encode` or `write(to:)`. One merger is
/// reused for many entities, one after another, so that its memory is allocated once.
package struct RecordMerger: ~Copyable {
    /// The newest write to a path; key and value lie in an event or in an earlier record.
    // Not private: builds for debugging of modules that use a merger would not compile (Swift 6.3).
    struct Register {
        var field: UInt64
        /// The index of its stamp in `stamps`.
        var stamp: Int32
        var isCleared: Bool
        var key: UnsafeRawBufferPointer
        var value: UnsafeRawBufferPointer

        /// `value` is nil if the path was cleared.
        @inline(__always)
        init(_ field: UInt64, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ stamp: Int32) {
            self.field = field
            self.stamp = stamp
            isCleared = value == nil
            self.key = key
            self.value = value ?? RecordMerger.nothing
        }

        /// The maximum encoded size in bytes: ten for each number.
        @inline(__always)
        var sizeLimit: Int { 40 + key.count + value.count }
    }

    var version = EntityVersion.none
    /// In path order.
    var registers = ReusedList<Register>()
    /// Registers that belong far before the last one, in the order of arrival: to insert each at once would take quadratic
    /// time. None of their paths is in `registers`; one path may be here several times.
    var late = ReusedList<Register>()
    /// In the order of arrival; some may be unused.
    var stamps = ReusedList<Stamp>()
    /// The index of the earliest creation in `stamps`, or -1.
    var creation: Int32 = -1
    var order = ReusedList<Int32>()
    var ranks = ReusedList<Int32>()
    /// The maximum encoded size of the registers in bytes.
    var registerLimit = 0
    /// The number of stamps in use, after they were ranked.
    var used = 0

    package init() {}

    /// Begins a new entity.
    package mutating func reset() {
        version = .none
        registers.removeAll()
        late.removeAll()
        stamps.removeAll()
        creation = -1
        registerLimit = 0
    }

    /// Begins with the state of a record. Throws `WireError` if it cannot be read.
    package mutating func reset(to record: borrowing RecordView) throws(WireError) {
        reset()
        version = record.version
        for index in 0..<record.stampCount { stamps.append(try record.stamp(index)) }
        creation = Int32(record.creationIndex ?? -1)
        // Stored records are in order; a damaged one may not be.
        var isOrdered = true
        try record.forEachRegister { register throws(WireError) in
            guard register.stampIndex < stamps.count else {
                throw WireError("a register names stamp \(register.stampIndex) of \(stamps.count)")
            }
            let added = Register(register.field, register.key, register.value, Int32(register.stampIndex))
            if registers.count > 0, !Self.precedes(registers[registers.count - 1], added.field, added.key) {
                isOrdered = false
            }
            registers.append(added)
            registerLimit += added.sizeLimit
        }
        if !isOrdered { throw WireError("the registers of a record are not in the order of their paths") }
    }

    /// Merges an event. Throws `WireError` if a change cannot be read; reset the merger then.
    package mutating func apply(_ event: borrowing EventView, index: Int, stamp: Stamp) throws(WireError) {
        version = version.adding(stamp, index: index)
        let stampIndex = self.index(of: stamp.moved(to: event.original))
        note(event.verb, stampIndex)
        var hint = 0
        try event.forEachChange { change throws(WireError) in
            write(change.field, change.key, change.value, stampIndex, &hint)
        }
    }

    private mutating func index(of stamp: Stamp) -> Int32 {
        if stamps.count == 0 || stamps[stamps.count - 1] != stamp { stamps.append(stamp) }
        return Int32(truncatingIfNeeded: stamps.count - 1)
    }

    private mutating func note(_ verb: Verb, _ stamp: Int32) {
        switch verb {
        case .created:
            if creation < 0 || stamps[Int(stamp)] < stamps[Int(creation)] { creation = stamp }
        case .deleted, .restored:
            var hint = 0
            write(0, Self.nothing, verb == .deleted ? Self.one : nil, stamp, &hint)
        default: break
        }
    }

    /// `hint` is the index of the previous change's register: the changes of an event mostly ascend, as the registers do.
    @inline(__always)
    private mutating func write(
        _ field: UInt64, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ stamp: Int32,
        _ hint: inout Int
    ) {
        let count = registers.count
        if count == 0 || registers[count - 1].field < field {
            // The case of nearly every change of a creation. The register is initialised in its final memory: making it on
            // the stack and copying it took a third of the merge.
            let register = Register(field, key, value, stamp)
            hint = count
            registerLimit += register.sizeLimit
            registers.append(register)
        } else {
            merge(field, key, value, stamp, &hint)
        }
    }

    @inline(never)
    private mutating func merge(
        _ field: UInt64, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ stamp: Int32,
        _ hint: inout Int
    ) {
        let register = Register(field, key, value, stamp)
        let index = insertionIndex(field, key, hint)
        hint = index
        guard index < registers.count, registers[index].field == field, registers[index].key.equals(key) else {
            registerLimit += register.sizeLimit
            if index == registers.count {
                registers.append(register)
            } else if late.count == 0, registers.count - index <= Self.fewToMove {
                registers.insert(register, at: index)
            } else {
                late.append(register)
            }
            return
        }
        let old = registers[index]
        guard isWinning(stamp, over: old.stamp) else { return }
        registerLimit += register.sizeLimit - old.sizeLimit
        registers[index] = register
    }

    /// The maximum number of registers to move for an insertion: moving that many costs as much as one late register.
    private static let fewToMove = 64

    /// Equal stamps belong to one commit, whose later event wins.
    @inline(__always)
    private func isWinning(_ stamp: Int32, over old: Int32) -> Bool {
        old == stamp || stamps[Int(stamp)] >= stamps[Int(old)]
    }

    /// Merges the late registers into `registers`. O(n + m log m) for m late among n.
    @inline(never)
    mutating func mergeLate() {
        // Those of one path stay in the order of arrival.
        var sorted = Array(0..<late.count)
        sorted.sort { one, other in
            let (first, second) = (late[one], late[other])
            if Self.precedes(first, second.field, second.key) { return true }
            return one < other && !Self.precedes(second, first.field, first.key)
        }
        var winners: [Register] = []
        for index in sorted {
            let register = late[index]
            guard let last = winners.last, !Self.precedes(last, register.field, register.key) else {
                winners.append(register)
                continue
            }
            if isWinning(register.stamp, over: last.stamp) { winners[winners.count - 1] = register }
        }
        late.removeAll()
        // Backwards from the end, into the room appended for them.
        var old = registers.count - 1
        for register in winners { registers.append(register) }
        var free = registers.count - 1
        while let winner = winners.last {
            if old >= 0, Self.precedes(winner, registers[old].field, registers[old].key) {
                registers[free] = registers[old]
                old -= 1
            } else {
                registers[free] = winner
                winners.removeLast()
            }
            free -= 1
        }
    }

    @inline(__always)
    private func insertionIndex(_ field: UInt64, _ key: UnsafeRawBufferPointer, _ hint: Int) -> Int {
        var low = 0
        var high = registers.count
        if hint < high {
            if Self.precedes(registers[hint], field, key) {
                low = hint + 1
                // Mostly it is the next one.
                if low == high || !Self.precedes(registers[low], field, key) { return low }
            } else {
                high = hint
            }
        } else if high == 0 || Self.precedes(registers[high - 1], field, key) {
            return high
        }
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(registers[middle], field, key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @inline(__always)
    private static func precedes(_ register: Register, _ field: UInt64, _ key: UnsafeRawBufferPointer) -> Bool {
        if register.field != field { return register.field < field }
        if register.key.isEmpty || key.isEmpty { return register.key.isEmpty && !key.isEmpty }
        return register.key.lexicographicallyPrecedes(key)
    }

    fileprivate static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// The value of a deletion: allocated once, never changed and never freed, so that any thread may read it at any time.
    private nonisolated(unsafe) static let one: UnsafeRawBufferPointer = {
        let byte = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        byte[0] = 1
        return UnsafeRawBufferPointer(byte)
    }()
}
