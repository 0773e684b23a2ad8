/// Merges the events of one entity: the one merge there is, for views, commits that are planned, and whole builds. It copies no value
/// before the record is written out.
///
/// What it was given must stay in memory until `encode`: records and events are referred to, not copied. One merger is
/// used for many entities, one after another, so that its memory is made once.
package struct RecordMerger: ~Copyable {
    /// The newest write to a path; key and value lie in an event or in an earlier record.
    // Not private: builds for debugging of modules that use a merger would not compile (Swift 6.3).
    struct Register {
        var field: UInt32
        /// Its place among `stamps`.
        var stamp: Int32
        var isCleared: Bool
        var key: UnsafeRawBufferPointer
        var value: UnsafeRawBufferPointer

        /// `value` is nil where the path was cleared.
        @inline(__always)
        init(_ field: UInt32, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ stamp: Int32) {
            self.field = field
            self.stamp = stamp
            isCleared = value == nil
            self.key = key
            self.value = value ?? RecordMerger.nothing
        }

        /// The most bytes that it takes when it is written: each number ten.
        @inline(__always)
        var sizeLimit: Int { 40 + key.count + value.count }
    }

    private var version = EntityVersion.none
    /// In the order of their paths.
    private var registers = ReusedList<Register>()
    /// Registers that would go far before the last one, as they came: to move what lies behind for each would take time with the
    /// square of their number. None of their paths is among `registers`; one may be here several times.
    private var late = ReusedList<Register>()
    /// In the order in which they came; some may be out of use.
    private var stamps = ReusedList<Stamp>()
    /// The least creation's place among `stamps`, or -1.
    private var creation: Int32 = -1
    private var order = ReusedList<Int32>()
    private var ranks = ReusedList<Int32>()
    /// The most bytes that the registers take when they are written.
    private var registerLimit = 0
    /// How many stamps are in use, once they are ranked.
    private var used = 0

    package init() {}

    /// Begins with an entity of which nothing is held.
    package mutating func reset() {
        version = .none
        registers.removeAll()
        late.removeAll()
        stamps.removeAll()
        creation = -1
        registerLimit = 0
    }

    /// Begins with what a record holds. Throws `WireError` if it cannot be read.
    package mutating func reset(to record: borrowing RecordView) throws(WireError) {
        reset()
        version = record.version
        for index in 0..<record.stampCount { stamps.append(try record.stamp(index)) }
        creation = Int32(record.creationIndex ?? -1)
        // Stored records are in order; what is not intact must not be taken for it.
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

    /// Merges an event. Throws `WireError` if a change cannot be read; the merger is then to be reset.
    package mutating func apply(_ event: borrowing EventView, index: Int, stamp: Stamp) throws(WireError) {
        version = version.adding(stamp, index: index)
        let place = self.place(of: stamp.moved(to: event.original))
        note(event.verb, place)
        var hint = 0
        try event.forEachChange { change throws(WireError) in
            write(change.field, change.key, change.value, place, &hint)
        }
    }

    private mutating func place(of stamp: Stamp) -> Int32 {
        if stamps.count == 0 || stamps[stamps.count - 1] != stamp { stamps.append(stamp) }
        return Int32(truncatingIfNeeded: stamps.count - 1)
    }

    private mutating func note(_ verb: Verb, _ place: Int32) {
        switch verb {
        case .created:
            if creation < 0 || stamps[Int(place)] < stamps[Int(creation)] { creation = place }
        case .deleted, .restored:
            var hint = 0
            write(0, Self.nothing, verb == .deleted ? Self.one : nil, place, &hint)
        default: break
        }
    }

    /// `hint` is where the path before was: the changes of an event mostly ascend, as the registers do.
    @inline(__always)
    private mutating func write(
        _ field: UInt32, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ place: Int32,
        _ hint: inout Int
    ) {
        let count = registers.count
        if count == 0 || registers[count - 1].field < field {
            // So it is with nearly all that creates. The register is made where it is to lie: one that was made on the stack
            // and copied took a third of the merge.
            let register = Register(field, key, value, place)
            hint = count
            registerLimit += register.sizeLimit
            registers.append(register)
        } else {
            merge(field, key, value, place, &hint)
        }
    }

    @inline(never)
    private mutating func merge(
        _ field: UInt32, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ place: Int32,
        _ hint: inout Int
    ) {
        let register = Register(field, key, value, place)
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
        guard isWinning(place, over: old.stamp) else { return }
        registerLimit += register.sizeLimit - old.sizeLimit
        registers[index] = register
    }

    /// How many registers are moved to make room for one: so many take as long as one that comes late.
    private static let fewToMove = 64

    /// Equal stamps are of one commit, whose later event wins.
    @inline(__always)
    private func isWinning(_ place: Int32, over old: Int32) -> Bool {
        old == place || stamps[Int(place)] >= stamps[Int(old)]
    }

    /// Brings the late registers to their places. O(n + m log m) for m among n.
    @inline(never)
    private mutating func mergeLate() {
        // Those of one path stay in the order in which they came.
        var places = Array(0..<late.count)
        places.sort { one, other in
            let (first, second) = (late[one], late[other])
            if Self.precedes(first, second.field, second.key) { return true }
            return one < other && !Self.precedes(second, first.field, first.key)
        }
        var winners: [Register] = []
        for place in places {
            let register = late[place]
            guard let last = winners.last, !Self.precedes(last, register.field, register.key) else {
                winners.append(register)
                continue
            }
            if isWinning(register.stamp, over: last.stamp) { winners[winners.count - 1] = register }
        }
        late.removeAll()
        // From the end, where there is room for them.
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
    private func insertionIndex(_ field: UInt32, _ key: UnsafeRawBufferPointer, _ hint: Int) -> Int {
        var low = 0
        var high = registers.count
        if hint < high {
            if Self.precedes(registers[hint], field, key) {
                low = hint + 1
                // Mostly it is the very next.
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
    private static func precedes(_ register: Register, _ field: UInt32, _ key: UnsafeRawBufferPointer) -> Bool {
        if register.field != field { return register.field < field }
        if register.key.isEmpty || key.isEmpty { return register.key.isEmpty && !key.isEmpty }
        return register.key.lexicographicallyPrecedes(key)
    }

    /// Adds the record's bytes: those of `EntityRecord.encoded()`.
    package mutating func encode(into bytes: inout [UInt8]) {
        let limit = settle()
        bytes += [UInt8](unsafeUninitializedCapacity: limit) { $1 = write(to: UnsafeMutableRawBufferPointer($0)) }
    }

    /// Ends the merge, for `write(to:)`, before which nothing may be applied. Answers how many bytes the record takes at most.
    package mutating func settle() -> Int {
        if late.count > 0 { mergeLate() }
        used = rankStamps()
        return 48 + used * Stamp.encodedSize + registerLimit
    }

    /// Writes the record's bytes, those of `EntityRecord.encoded()`, after `settle()`, where there is room for as many as that
    /// said; keys and values must not lie there. Answers how many they are.
    package func write(to bytes: UnsafeMutableRawBufferPointer) -> Int {
        var place = 0
        write(used, to: bytes, &place)
        return place
    }

    private func write(_ used: Int, to bytes: UnsafeMutableRawBufferPointer, _ place: inout Int) {
        bytes.write(varint: version.events, &place)
        bytes.write(version.fingerprint, &place)
        bytes.write(varint: UInt64(used), &place)
        for rank in 0..<used { bytes.write(stamps[Int(order[rank])], &place) }
        bytes.write(varint: creation < 0 ? 0 : UInt64(ranks[Int(creation)] + 1), &place)
        for index in 0..<registers.count {
            let register = registers[index]
            let rank = UInt32(truncatingIfNeeded: ranks[Int(register.stamp)])
            let length = register.isCleared ? 0 : register.value.count + 1
            if register.key.isEmpty, register.field < 0x80, rank < 0x80, length < 0x80 {
                // As nearly all are: four numbers of one byte.
                let head = register.field | rank << 16 | UInt32(truncatingIfNeeded: length) << 24
                bytes.storeBytes(of: head.littleEndian, toByteOffset: place, as: UInt32.self)
                place += 4
            } else {
                bytes.write(varint: UInt64(register.field), &place)
                bytes.write(varint: UInt64(register.key.count), &place)
                bytes.write(register.key, &place)
                bytes.write(varint: UInt64(rank), &place)
                bytes.write(varint: UInt64(length), &place)
            }
            bytes.write(register.value, &place)
        }
    }

    /// Gives the stamps that are in use their ranks in the order of the merge, and answers how many there are; `order`
    /// then names them, each once.
    private mutating func rankStamps() -> Int {
        // Most have but one, and so had the entity before, for which the ranks still stand.
        if stamps.count == 1, ranks.count == 1, order.count == 1, creation == 0 || registers.count > 0 { return 1 }
        ranks.removeAll()
        order.removeAll()
        if stamps.count == 1, creation == 0 || registers.count > 0 {
            ranks.append(0)
            order.append(0)
            return 1
        }
        for _ in 0..<stamps.count { ranks.append(-1) }
        if creation >= 0 { use(creation) }
        for index in 0..<registers.count { use(registers[index].stamp) }
        sortOrder()
        // The same stamp may have come twice, if not in a row.
        var count = 0
        for index in 0..<order.count {
            let place = order[index]
            if count == 0 || stamps[Int(order[count - 1])] != stamps[Int(place)] {
                order[count] = place
                count += 1
            }
            ranks[Int(place)] = Int32(count - 1)
        }
        return count
    }

    /// By insertion where there are few, as nearly always: mostly they come in order.
    private mutating func sortOrder() {
        if order.count > 16 {
            var places = (0..<order.count).map { order[$0] }
            places.sort { stamps[Int($0)] < stamps[Int($1)] }
            for (index, place) in places.enumerated() { order[index] = place }
            return
        }
        guard order.count > 1 else { return }
        for index in 1..<order.count {
            let moved = order[index]
            var place = index
            while place > 0, stamps[Int(moved)] < stamps[Int(order[place - 1])] {
                order[place] = order[place - 1]
                place -= 1
            }
            order[place] = moved
        }
    }

    private mutating func use(_ place: Int32) {
        guard ranks[Int(place)] < 0 else { return }
        ranks[Int(place)] = 0
        order.append(place)
    }

    fileprivate static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// The value of a deletion. It is made once, never changed and never freed, so that any thread may read it at any
    /// time.
    private nonisolated(unsafe) static let one: UnsafeRawBufferPointer = {
        let byte = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        byte[0] = 1
        return UnsafeRawBufferPointer(byte)
    }()
}
