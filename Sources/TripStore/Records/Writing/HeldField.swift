import Events

/// A planner's knowledge of a field of an entity, or of an element of one: the newest write to it.
struct HeldField {
    let path: FieldPath
    /// The write; nil if there was none.
    fileprivate(set) var written: Seen?
    /// The range of the value in the memory of the planner; nil if the field was never written, or cleared.
    fileprivate(set) var value: Range<Int>?
    /// The step of a search that found it, from 1 on.
    fileprivate var step = 0

    init(_ path: FieldPath) { self.path = path }

    fileprivate var field: UInt64 { path.field }
}

/// Searches some fields, in one event after another from the newest on, and then in the record before them.
struct HeldFieldSearch {
    /// A bit for each requested field; fields 64 apart share one.
    private var asked: UInt64 = 0
    /// The greatest field that is asked for: registers ascend, and behind it there is nothing to find.
    private var greatest: UInt64 = 0
    /// The indexes of the elements that are asked for. Nearly always there are none.
    private var elements: [FieldPath: [Int]] = [:]
    private var missing: Int
    private var step = 0

    init(_ fields: [HeldField]) {
        for (index, field) in fields.enumerated() {
            asked |= Self.bit(field.field)
            greatest = max(greatest, field.field)
            if !field.path.key.isEmpty { elements[field.path, default: []].append(index) }
        }
        missing = fields.count
    }

    private static func bit(_ field: UInt64) -> UInt64 { 1 << UInt64(field & 63) }

    var isMissingSome: Bool { missing > 0 }

    /// Takes the fields that an event wrote, unless a later event wrote them. `bytes` is the memory of the event.
    mutating func look(
        at event: borrowing EventView, written: Seen, in bytes: UnsafeRawBufferPointer, _ fields: inout [HeldField]
    ) throws(WireError) {
        step += 1
        try event.forEachChange { change throws(WireError) in
            guard isAsked(change.field, change.key) else { return }
            take(change.field, change.key, change.value?.range(in: bytes), written: written, &fields)
        }
    }

    /// Takes the rest from the record.
    mutating func look(
        at record: borrowing RecordView, in bytes: UnsafeRawBufferPointer, _ fields: inout [HeldField]
    ) throws(WireError) {
        step += 1
        var registers = record.registers
        while isMissingSome, let register = try registers.next(), register.field <= greatest {
            guard isAsked(register.field, register.key) else { continue }
            let written = Seen(try record.stamp(of: register))
            take(register.field, register.key, register.value?.range(in: bytes), written: written, &fields)
        }
    }

    @inline(__always)
    private func isAsked(_ field: UInt64, _ key: UnsafeRawBufferPointer) -> Bool {
        asked & Self.bit(field) != 0 && (key.isEmpty || !elements.isEmpty)
    }

    @inline(__always)
    private mutating func take(
        _ field: UInt64, _ key: UnsafeRawBufferPointer, _ value: Range<Int>?, written: Seen, _ fields: inout [HeldField]
    ) {
        // Of several writes of an event to one field the last counts, which comes last here. A field may be requested
        // twice.
        if !key.isEmpty {
            for index in elements[FieldPath(field: field, key: [UInt8](key))] ?? [] {
                note(index, value, written, &fields)
            }
            return
        }
        for index in fields.indices where fields[index].field == field && fields[index].path.key.isEmpty {
            note(index, value, written, &fields)
        }
    }

    @inline(__always)
    private mutating func note(_ index: Int, _ value: Range<Int>?, _ written: Seen, _ fields: inout [HeldField]) {
        guard fields[index].step == 0 || fields[index].step == step else { return }
        if fields[index].step == 0 { missing -= 1 }
        fields[index].step = step
        fields[index].written = written
        fields[index].value = value
    }
}
