import Events
import Trips

/// What a planner checks before an event is written.
extension CommitPlanner {
    /// The held value of a field or an element; nil if there is none.
    func value(of path: FieldPath, _ number: Int) throws(WireError) -> [UInt8]? {
        var found = [HeldField(path)]
        try memory.find(&found, of: number)
        return memory.withValue(of: found[0]) { [UInt8]($0) }
    }

    /// The value that a field shows, if that was written to a field that it replaces; the inner optional is nil if that was cleared. Nil if
    /// the field shows its own value.
    func shownOfOthers(
        at path: FieldPath, of entity: EntityReference, _ number: Int
    ) throws(WireError) -> [UInt8]?? {
        guard path.key.isEmpty, !entity.kind.hasBuiltIn(path.field),
            let field = entity.evolvedField(path.field, in: known)
        else { return nil }
        var found = ([field.number] + field.formerNumbers).map { HeldField(FieldPath(field: $0)) }
        try memory.find(&found, of: number)
        var registers: [UInt64: (order: Stamp, value: [UInt8]?)] = [:]
        for held in found {
            guard let written = held.written else { continue }
            let order = Stamp(timestamp: written.timestamp, replica: written.replica, hash: .zero)
            registers[held.path.field] = (order, memory.withValue(of: held) { [UInt8]($0) })
        }
        guard let shown = field.shown({ registers[$0] }), shown.origin != field.number else { return nil }
        return .some(shown.value)
    }

    /// Whether later writes of all fields that replace a field hide its value.
    func isHidden(_ path: FieldPath, of entity: EntityReference, _ number: Int) throws(WireError) -> Bool {
        guard path.key.isEmpty, !entity.kind.hasBuiltIn(path.field) else { return false }
        let fields = entity.evolvedFields(in: known).filter { $0.formerNumbers.contains(path.field) }
        for field in fields where try shownOfOthers(at: FieldPath(field: field.number), of: entity, number) != nil {
            return false
        }
        return !fields.isEmpty
    }

    /// Finds the held values of the fields that an event writes, and of the other of start and end if it writes only
    /// one.
    mutating func findHeld(_ entry: DraftedEvents.Entry, _ number: Int, in draft: DraftedEvents) throws {
        fields.removeAll(keepingCapacity: true)
        try draft.withMessage(of: entry) { bytes in
            try EventView(plain: bytes).forEachChange {
                fields.append(HeldField(FieldPath(field: $0.field, key: [UInt8]($0.key))))
            }
        }
        if let other = entry.proof?.other { fields.append(HeldField(FieldPath(field: other))) }
        try memory.find(&fields, of: number)
    }

    /// Whether the fast path proves an event valid with the values found, and it replaces no unknown parts.
    func isFineOnFastPath(_ entry: DraftedEvents.Entry, in draft: DraftedEvents) throws -> Bool {
        guard let proof = entry.proof, entry.verb == .edited else { return false }
        return try draft.withMessage(of: entry) { bytes in
            var isFine = true
            var index = 0
            try EventView(plain: bytes).forEachChange { change in
                defer { index += 1 }
                guard let value = change.value else { return }
                let mayLose = memory.withValue(of: fields[index]) {
                    TripEvent.mayHaveUnknownParts($0, in: change.field, of: entry.entity, in: known)
                }
                if mayLose == true { isFine = false }
                guard let other = proof.other, let held = fields.last else { return }
                let areInOrder = memory.withValue(of: held) {
                    TripEvent.areInOrder(change.field, value, other, $0, of: entry.entity)
                }
                if areInOrder == false { isFine = false }
            }
            return isFine
        }
    }

    /// Validates an event with its entity's record. Returns it with the unknown parts of the values that it replaces;
    /// nil if there are none.
    func lookClosely(
        _ proposed: TripEvent, _ entry: DraftedEvents.Entry, _ number: Int
    ) throws -> TripEvent? {
        var failure: (any Error)?
        func held(_ path: FieldPath) -> [UInt8]? {
            do { return try value(of: path, number) } catch {
                failure = error
                return nil
            }
        }
        var changed = proposed
        changed.keepUnknownParts(in: known, of: held)
        // For an edit that is valid alone, only the order of start and end is left to check.
        if entry.verb != .edited || entry.proof.map({ $0.other != nil }) ?? true {
            try changed.validateRules(in: known) { held(FieldPath(field: $0)) }
        }
        if let failure { throw failure }
        return changed.writes == proposed.writes ? nil : changed
    }

    /// An event with what it adds to counters as the shares of the writing replica: an addition to what that has.
    func counting(_ event: TripEvent, _ number: Int) throws -> TripEvent {
        var counted = event
        counted.writes = []
        var shares: [FieldPath: Int] = [:]
        for write in event.writes {
            guard write.path.element == .ownShare else {
                counted.writes.append(write)
                continue
            }
            let path = ElementKey(.share, writer.bytes).path(in: write.field)
            let earlier = shares[path]
            let held = try earlier.map { counted.writes[$0].value } ?? value(of: path, number)
            let sum = CounterShare.value(held).addingReportingOverflow(CounterShare.value(write.value))
            guard !sum.overflow else {
                throw TripStoreError(
                    .invalidValue,
                    "This replica has added \(CounterShare.value(held)) to the counter and cannot add "
                        + "\(CounterShare.value(write.value)) more. Add less.", entity: event.entity)
            }
            let share = TripEvent.Write(path, value: CounterShare.bytes(sum.partialValue))
            if let earlier {
                counted.writes[earlier] = share
            } else {
                shares[path] = counted.writes.count
                counted.writes.append(share)
            }
        }
        return counted
    }

    /// An edit without its writes that change nothing; nil if none are left. Clearing a field that was never written
    /// changes nothing, either. Keeps the values found for the remaining writes.
    mutating func leavingOutUnchanged(_ event: TripEvent, _ number: Int) throws -> TripEvent? {
        // Of several writes to one field the last counts; those before it say nothing of what is to stand there.
        var later: Set<FieldPath> = []
        let isLast = event.writes.reversed().map { later.insert($0.path).inserted }
        var kept = try event.writes.indices.filter { index in
            guard isLast[event.writes.count - 1 - index] else { return false }
            let isChanged =
                if let value = event.writes[index].value {
                    memory.withValue(of: fields[index]) { value.withUnsafeBytes($0.equals) } != true
                } else {
                    fields[index].value != nil
                }
            // A write that repeats the field's own value is kept if the field shows the value of a replaced field.
            return try isChanged || shownOfOthers(at: event.writes[index].path, of: event.entity, number) != nil
        }
        // A write that follows from another is kept or left out with that one.
        for index in event.writes.indices {
            guard case .implied(let field) = event.writes[index].saw else { continue }
            kept.removeAll { $0 == index }
            if kept.contains(where: { event.writes[$0].path == FieldPath(field: field) }) { kept.append(index) }
        }
        kept.sort()
        if kept.isEmpty { return nil }
        if kept.count == event.writes.count { return event }
        fields = kept.map { fields[$0] }
        var rest = event
        rest.writes = kept.map { event.writes[$0] }
        return rest
    }
}
