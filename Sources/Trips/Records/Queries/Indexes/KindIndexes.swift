package import Events

/// The indexes of one kind of entity: the fields of a record are read once for all of them.
package final class KindIndexes: Sendable {
    /// A field of an index. Without references, so that walking an array of them counts none: keys are made for every entity of a rebuild.
    private struct Step: BitwiseCopyable {
        /// Quick ways for what every store has.
        enum Coding { case moment, reference, other }

        /// Of the index.
        let number: UInt8
        let isFirst: Bool
        let isLast: Bool
        let isSparse: Bool
        let coding: Coding
        /// The kind that a reference names.
        let kind: UInt16
        /// The place of its value in the slice.
        let slot: Int
        /// The place of the field among those of all indexes.
        let field: Int
    }

    package let kind: ConcreteKind
    private let parents: ParentKinds
    /// The place of the parent in the slice, of a kind whose parents are of one kind.
    private let parentSlot: Int?
    /// The fields that are read.
    private let slice: FieldSlice
    private let steps: [Step]
    private let fields: [IndexedField]

    package init(_ kind: ConcreteKind, _ indexes: [(number: UInt8, definition: IndexDefinition)]) {
        self.kind = kind
        fields = indexes.flatMap(\.definition.fields)
        parents = kind.kind.parents
        // Whether an entity is there depends on its parent.
        let parent = if case .one = parents { [FieldPath.parent.field] } else { [UInt64]() }
        slice = FieldSlice(Set(fields.map(\.number) + parent).sorted())
        parentSlot = parent.first.flatMap(slice.index)
        var steps: [Step] = []
        for (number, definition) in indexes {
            for (index, field) in definition.fields.enumerated() {
                var coding = Step.Coding.other
                var target: UInt16 = 0
                if field.type == Moment.self, field.cleared == nil { coding = .moment }
                if case .reference(let kind) = field.type.form { (coding, target) = (.reference, kind.rawValue) }
                steps.append(
                    Step(
                        number: number, isFirst: index == 0, isLast: index == definition.fields.count - 1,
                        isSparse: definition.isSparse, coding: coding, kind: target,
                        slot: slice.index(of: field.number) ?? 0, field: steps.count))
            }
        }
        self.steps = steps
    }

    /// A row of an index, valid during a call.
    package struct Row {
        /// That of the index.
        package let number: UInt8
        /// Without the entity's id.
        package let key: UnsafeRawBufferPointer
        package let isCut: Bool
        /// The id of the parent, of a kind whose parents are of one kind.
        package let parent: UnsafeRawBufferPointer?
    }

    /// Calls `body` with the row that an entity has in each index.
    package func forEachRow(of record: borrowing RecordView, _ body: (Row) -> Void) throws(WireError) {
        try slice.withValues(of: record) { values in
            let parent = parentSlot.flatMap { values[$0] }.flatMap { parents.idBytes(in: $0) }
            var key = IndexKey()
            steps.withUnsafeBufferPointer { steps in
                var isLeftOut = false
                for step in steps {
                    if step.isFirst {
                        key.removeAll()
                        isLeftOut = false
                    }
                    if isLeftOut { continue }
                    let isThere = append(values[step.slot], step, to: &key)
                    isLeftOut = step.isFirst && step.isSparse && !isThere
                    guard step.isLast, !isLeftOut else { continue }
                    key.bytes.withUnsafeBytes {
                        body(Row(number: step.number, key: $0, isCut: key.isCut, parent: parent))
                    }
                }
            }
        }
    }

    /// False if there is no value.
    @inline(__always)
    private func append(_ bytes: UnsafeRawBufferPointer?, _ step: Step, to key: inout IndexKey) -> Bool {
        switch step.coding {
        case .moment:
            let milliseconds = Moment.milliseconds(bytes)
            key.append(milliseconds: milliseconds)
            return milliseconds != nil
        case .reference:
            return key.append(reference: bytes, to: step.kind)
        case .other:
            let field = fields[step.field]
            let value = field.value(bytes)
            key.append(value, isNatural: field.isNatural)
            return value != nil
        }
    }

    /// Whether two records of an entity have the same rows, as far as that is seen without making them.
    package func haveSameRows(_ a: borrowing RecordView, _ b: borrowing RecordView) throws(WireError) -> Bool {
        var isSame = true
        // Swift has no closure that takes two borrowed records.
        let bytes = b.bytes
        try slice.withValues(of: a) { (first) throws(WireError) in
            let other = try RecordView(bytes)
            try slice.withValues(of: other) { second in
                for slot in first.indices where isSame {
                    guard let old = first[slot], let new = second[slot] else {
                        isSame = first[slot] == nil && second[slot] == nil
                        continue
                    }
                    isSame = old.equals(new)
                }
            }
        }
        return isSame
    }
}
