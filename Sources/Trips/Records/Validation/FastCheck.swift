package import Events

/// The proof of the fast path that an event breaks no rule, found without asking what is held of its entity: of an edit all but the order of a
/// start and an end of which it writes one; of a creation if nothing is held.
///
/// The fast path exists for speed: nearly all values are valid, and it proves this without decoding them. If it proves nothing, the full
/// rules name the fault, or find none.
package struct FastProof: Sendable, Equatable {
    /// The field that is not written, of that start and end.
    package let other: UInt64?
}

extension EntitySchema {
    /// Proves the rules of an event whose writes break none by themselves; its starts and ends are among some of them. Nil if nothing is proved.
    @inline(__always)
    func proof(
        ofSpansIn range: ClosedRange<Int>, isCreation: Bool,
        _ write: (Int) -> (field: UInt64, value: UnsafeRawBufferPointer?)
    ) -> FastProof? {
        var other: UInt64?
        for span in spans {
            // Nil if they are not written; within that, nil if they are cleared.
            var (start, end): (UnsafeRawBufferPointer??, UnsafeRawBufferPointer??)
            for index in range {
                let (number, value) = write(index)
                if number == span.start { start = .some(value) } else if number == span.end { end = .some(value) }
            }
            switch (start, end) {
            case (let start??, let end??): guard isInOrder(span, start, end) else { return nil }
            case (.some(.some), nil), (nil, .some(.some)):
                if isCreation { continue }
                // Edits that leave more than one take the full check.
                guard other == nil else { return nil }
                other = start == nil ? span.start : span.end
            default: continue
            }
        }
        return FastProof(other: other)
    }
}

extension EntitySchema.FieldRules {
    /// Whether a value, nil to clear the field, certainly breaks no rule on the value alone.
    @inline(__always)
    func fastCheck(_ value: UnsafeRawBufferPointer?) -> Bool {
        guard let value else { return !isRequired }
        // Readers treat an empty value as none.
        return !value.isEmpty && !hasOwnRule && (!isName || value.contains { 0x21...0x7E ~= $0 })
            && type.fastCheck(value)
    }
}

extension TripEvent {
    /// Whether an edit of which all else is proved is in order with what `held` returns.
    func isInOrder(_ proof: FastProof, _ held: (_ field: UInt64) -> [UInt8]?) -> Bool {
        guard let other = proof.other, let held = held(other) else { return true }
        return held.withUnsafeBytes { held in
            writes.allSatisfy { write in
                write.value?.withUnsafeBytes { Self.areInOrder(write.field, $0, other, held, of: entity) } ?? true
            }
        }
    }

    /// Whether the values of two fields of an entity are in order: false if they are a start and its end, and the end is before the start.
    package static func areInOrder(
        _ field: UInt64, _ value: UnsafeRawBufferPointer, _ other: UInt64, _ held: UnsafeRawBufferPointer,
        of entity: EntityReference
    ) -> Bool {
        // Kinds of apps have no spans.
        guard field != other, let schema = EntitySchema.of(entity.kind),
            let span = schema.spans.first(where: { $0.contains(field) && $0.contains(other) })
        else { return true }
        return field == span.start ? schema.isInOrder(span, value, held) : schema.isInOrder(span, held, value)
    }
}
