import Events
import Trips

/// The writes of an entity to fields that replace others, and to those, as undos leave them.
///
/// What such a field shows depends on which write is the latest. An undo's write has the age of the write that it restored, its root. It
/// also undoes later writes to rivals that its commit does not write: a rival is a field of which the latest write is compared with that of
/// this one.
struct EvolvedHistory {
    /// Names a write: by its field, and its index in the field's history.
    private struct WriteID: Hashable {
        let number: UInt64
        let index: Int
    }

    /// What an undo's write restored.
    private enum Origin {
        /// It restored an earlier write to the field.
        case write(Int)
        /// It restored that the field was never written.
        case nothing
    }

    /// The writes that count, of each field in their order: the last is its register.
    private typealias Counting = [UInt64: [Int]]

    private let timeline: EntityTimeline
    /// The rivals of each field.
    private let rivals: [UInt64: Set<UInt64>]
    /// The roots of undos' writes. They are earlier writes of the same field.
    private var origins: [WriteID: Origin] = [:]
    /// The writes from which undos' writes have their values: their roots, or undos' writes between.
    private var links: [WriteID: Int] = [:]
    /// The effects of each entry, in the order of the merge.
    private var effects: [(entry: Int, effects: [Effect])] = []
    /// Indexes of the effects by the first bytes of the hashes of their commits, as marks name them.
    private var effectsByCommit: [[UInt8]: [Int]] = [:]

    /// Nil if the entity has no such fields.
    ///
    /// O(writes to them); for each undo's write of which the restored one is not the last to the field, O(writes to that) more.
    init?(_ timeline: EntityTimeline) {
        var rivals: [UInt64: Set<UInt64>] = [:]
        for field in timeline.entity.evolvedFields(in: timeline.known) {
            for former in field.formerNumbers {
                rivals[field.number, default: []].insert(former)
                rivals[former, default: []].insert(field.number)
            }
        }
        if rivals.isEmpty { return nil }
        self.timeline = timeline
        self.rivals = rivals
        var writes: [Int: [WriteID]] = [:]
        for number in rivals.keys.sorted() {
            for (index, write) in (timeline.writes[FieldPath(field: number)] ?? []).enumerated() {
                writes[write.entry, default: []].append(WriteID(number: number, index: index))
            }
        }
        var counting: Counting = [:]
        for (entry, writes) in writes.sorted(by: { $0.key < $1.key }) {
            var done: [Effect] = []
            // A value that is only written again says which of several fields is to be shown: so the others come first.
            let isRepeat = writes.map { mark(of: $0) != nil && repeated(by: $0) != nil }
            for (write, isRepeat) in zip(writes, isRepeat) where !isRepeat {
                set(restoredOrigin(of: write, counting), of: write)
                let effect = effect(of: write, origins[write], among: writes, counting)
                Self.apply(effect, to: &counting)
                done.append(effect)
            }
            for (write, isRepeat) in zip(writes, isRepeat) where isRepeat {
                set(repeatedOrigin(of: write, counting), of: write)
                let effect = effect(of: write, origins[write], among: writes, counting)
                Self.apply(effect, to: &counting)
                done.append(effect)
            }
            let hash = UndoMark.prefix(of: timeline.entries[entry].stamp.hash)
            effectsByCommit[hash, default: []].append(effects.count)
            effects.append((entry, done))
        }
    }

    func covers(_ path: FieldPath) -> Bool { path.key.isEmpty && rivals[path.field] != nil }

    /// The index of the write, a selected one, whose value a field has now; nil if another write's is.
    func owner(of number: UInt64, where isSelected: (Int) -> Bool) -> Int? {
        var index = history(of: number).count - 1
        while index >= 0 {
            if isSelected(history(of: number)[index].entry) { return index }
            guard let link = links[WriteID(number: number, index: index)] else { return nil }
            index = link
        }
        return nil
    }

    private mutating func set(_ origin: Origin?, of write: WriteID) {
        // Others may write a field twice in one event: what is restored is earlier all the same.
        guard case .write(let root) = origin, root < write.index else {
            if case .nothing = origin { origins[write] = origin }
            return
        }
        origins[write] = .write(root)
        let restored = repeated(by: write) ?? timeline.restored(by: write.index, of: history(of: write.number))
        let isOfRoot = restored.map {
            $0 < write.index && self.root(of: WriteID(number: write.number, index: $0)) == root
        }
        links[write] = isOfRoot == true ? restored : root
    }

    /// The registers that the fields would have without the selected entries: the root of what counts in each.
    ///
    /// O(writes to the fields).
    func registers(without isSelected: (Int) -> Bool) -> [UInt64: (order: Stamp, value: [UInt8]?)] {
        var counting: Counting = [:]
        for (entry, effects) in effects where !isSelected(entry) {
            for effect in effects {
                var effect = effect
                effect.added.removeAll { isSelected(history(of: $0.number)[$0.index].entry) }
                Self.apply(effect, to: &counting)
            }
        }
        return counting.compactMapValues(\.last).reduce(into: [:]) { registers, register in
            let write = history(of: register.key)[register.value]
            registers[register.key] = (stamp(of: write), write.value)
        }
    }

    // MARK: Effects

    /// What an entry changes in the writes that count.
    private struct Effect {
        var removed: [WriteID] = []
        var added: [WriteID] = []
    }

    /// The effect of a write, one of those of an entry: after it that write counts for its field, or what it restored.
    private func effect(
        of write: WriteID, _ origin: Origin?, among writes: [WriteID], _ counting: Counting
    ) -> Effect {
        guard mark(of: write) != nil, let origin else { return Effect(added: [write]) }
        var root: Int?
        if case .write(let index) = origin { root = self.root(of: WriteID(number: write.number, index: index)) }
        let held = counting[write.number] ?? []
        var effect = Effect()
        effect.removed = held.filter { $0 > root ?? -1 }.map { WriteID(number: write.number, index: $0) }
        if let root, !held.contains(root) { effect.added = [WriteID(number: write.number, index: root)] }
        // It is the latest write now: later writes to the fields that it is compared with are undone.
        let age = root.map { stamp(of: history(of: write.number)[$0]) }
        for rival in rivals[write.number] ?? [] where !writes.contains(where: { $0.number == rival }) {
            let undone = (counting[rival] ?? []).filter { index in
                let stamp = stamp(of: history(of: rival)[index])
                return age.map { stamp > $0 || stamp == $0 && rival > write.number } ?? true
            }
            effect.removed += undone.map { WriteID(number: rival, index: $0) }
        }
        return effect
    }

    private static func apply(_ effect: Effect, to counting: inout Counting) {
        for write in effect.removed {
            // Nearly always it is the last.
            if counting[write.number]?.last == write.index {
                counting[write.number]?.removeLast()
            } else {
                counting[write.number]?.removeAll { $0 == write.index }
            }
        }
        for write in effect.added {
            let held = counting[write.number] ?? []
            // Nearly always it is the last.
            let index =
                held.last.map { $0 < write.index } ?? true ? held.endIndex : held.firstIndex { $0 >= write.index }
            counting[write.number, default: []].insert(write.index, at: index ?? held.endIndex)
        }
    }

    /// The write of which an undo's write repeats the value, so that it is the latest again; nil if it is another value.
    private func repeated(by write: WriteID) -> Int? {
        let history = history(of: write.number)
        let seen = history[..<write.index].lastIndex { timeline.saw(history[write.index], $0) }
        return seen.flatMap { history[$0].value == history[write.index].value ? $0 : nil }
    }

    /// The write that an undo's write of an equal value restored: the last that counts, or that counted.
    private func repeatedOrigin(of write: WriteID, _ counting: Counting) -> Origin? {
        let history = history(of: write.number)
        let value = history[write.index].value
        if let undone = removedByUndone(write) { return .write(undone) }
        if let last = counting[write.number]?.last, history[last].value == value { return .write(last) }
        return repeated(by: write).map { .write($0) }
    }

    /// The write that an undo's write of another value restored; nil if it is not known.
    private func restoredOrigin(of write: WriteID, _ counting: Counting) -> Origin? {
        guard let mark = mark(of: write) else { return nil }
        let history = history(of: write.number)
        let value = history[write.index].value
        if let undone = removedByUndone(write) { return .write(undone) }
        // The mark of an undo of several commits names one, which need not have written here.
        let end = timeline.firstWrite(of: mark, in: history[..<write.index]) ?? write.index
        if let last = counting[write.number]?.last(where: { $0 < end && history[$0].value == value }) {
            return .write(last)
        }
        if let restored = timeline.restored(by: write.index, of: history) { return .write(restored) }
        return value == nil ? .nothing : nil
    }

    /// The last write of an equal value that the undone undo had removed.
    private func removedByUndone(_ write: WriteID) -> Int? {
        guard let mark = mark(of: write) else { return nil }
        let history = history(of: write.number)
        let removed = (effectsByCommit[mark.subject] ?? []).flatMap { effects[$0].effects }.flatMap(\.removed)
        return removed.filter {
            $0.number == write.number && history[$0.index].value == history[write.index].value
        }.map(\.index).max()
    }

    private func root(of write: WriteID) -> Int {
        var write = write
        while case .write(let origin) = origins[write] { write = WriteID(number: write.number, index: origin) }
        return write.index
    }

    private func history(of number: UInt64) -> [EntityTimeline.Write] {
        timeline.writes[FieldPath(field: number)] ?? []
    }

    private func stamp(of write: EntityTimeline.Write) -> Stamp { timeline.entries[write.entry].stamp }

    private func mark(of write: WriteID) -> UndoMark? {
        UndoMark(timeline.entries[history(of: write.number)[write.index].entry].commit.causation)
    }
}
