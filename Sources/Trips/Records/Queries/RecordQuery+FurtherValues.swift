import Events

/// Values that one register of a record does not tell: the elements of collections, and fields that replace others or that read as nil while their
/// target is deleted.
extension RecordQuery {
    struct FurtherFields: Sendable {
        private(set) var evolved: [EvolvedField] = []
        private(set) var nullified: [UInt64] = []
        fileprivate private(set) var collections: [UInt64] = []
        /// The collections of which an element is none while what it names is deleted.
        fileprivate private(set) var nullifiedCollections: [UInt64] = []
        /// The fields that replace others, and those that they replace.
        fileprivate private(set) var registers: [UInt64] = []
        fileprivate private(set) var last: UInt64 = 0

        var isEmpty: Bool { evolved.isEmpty && nullified.isEmpty && collections.isEmpty }

        func contains(_ field: QueriedField) -> Bool {
            guard case .field(let number) = field else { return false }
            return collections.contains(number) || nullified.contains(number)
                || evolved.contains { $0.number == number }
        }

        mutating func add(_ field: EntitySchema.Field, of schema: EntitySchema, isDescribed: Bool) {
            if schema.nullified.contains(field.number) { nullified.append(field.number) }
            if field.collection != nil {
                collections.append(field.number)
                if schema.nullifiedOwn.contains(field.number) { nullifiedCollections.append(field.number) }
                last = max(last, field.number)
            }
            // The description of a field does not say what it replaces.
            guard let former = field.former, !isDescribed else { return }
            let replacing = EvolvedField(number: field.number, former: former)
            evolved.append(replacing)
            registers += [field.number] + replacing.formerNumbers
            last = max(last, field.number)
        }
    }

    /// The values as they lie in a record: not to be used beyond its read. A class, so that values without any cost one reference.
    final class FurtherValues {
        private var elements: [(field: UInt64, bytes: UnsafeRawBufferPointer)] = []
        private var registers: [(field: UInt64, order: Int, value: UnsafeRawBufferPointer?)] = []
        /// The memory of values that were made of those of replaced fields.
        private var made: [UnsafeMutableRawBufferPointer] = []

        deinit { free() }

        private func free() {
            for bytes in made { bytes.deallocate() }
            made.removeAll(keepingCapacity: true)
        }

        /// Reads those of a record in place of those of another. A name of a deleted entity in a field that is nullified is no element.
        func read(
            _ fields: FurtherFields, _ record: borrowing RecordView, _ isDeleted: (EntityReference) throws -> Bool
        ) throws {
            elements.removeAll(keepingCapacity: true)
            registers.removeAll(keepingCapacity: true)
            free()
            guard fields.last > 0 else { return }
            var rest = record.registers
            while let register = try rest.next() {
                guard register.field <= fields.last else { return }
                if register.key.isEmpty {
                    if fields.registers.contains(register.field) {
                        registers.append((register.field, register.order, register.value))
                    }
                } else if register.isOwn, fields.collections.contains(register.field), let value = register.value,
                    let bytes = Self.element(register.key, value)
                {
                    if fields.nullifiedCollections.contains(register.field),
                        let target = EntityReference(fieldValue: bytes),
                        target.kind.isNamespaced, try isDeleted(target)
                    {
                        continue
                    }
                    elements.append((register.field, bytes))
                }
            }
        }

        /// An element of a set or a list, or the key of a map; nil for the rest of what collections have.
        private static func element(
            _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
        ) -> UnsafeRawBufferPointer? {
            switch key.first.flatMap({ ElementKey.Kind(rawValue: $0) }) {
            case .addition, .listElement: value
            case .entry: key.part(from: 1)
            default: nil
            }
        }

        func has(_ element: [UInt8], in field: UInt64) -> Bool {
            element.withUnsafeBytes { element in
                elements.contains { $0.field == field && $0.bytes.equals(element) }
            }
        }

        /// The value that a field shows which replaces others, and the field to which that was written; nil if nothing was.
        func shown(_ field: EvolvedField) -> (origin: UInt64, value: [UInt8]?)? {
            field.shown { number in
                registers.first { $0.field == number }.map { ($0.order, $0.value.map { [UInt8]($0) }) }
            }
        }

        /// Bytes as if they lay in the record.
        func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            copy.copyBytes(from: bytes)
            made.append(copy)
            return UnsafeRawBufferPointer(copy)
        }
    }
}
