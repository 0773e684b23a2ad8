import Events

/// Own fields that only the log names, written without their declarations.
extension TripEntity {
    /// A field of one value gets it; a counter is set to an integer.
    package mutating func set(_ field: FieldDescription, to value: any OwnFieldValue) {
        if field.shape == .counter, let count = value as? Int {
            own.add(count, minus: Int(clamping: own.sum(of: field.number)), to: field.number)
        } else {
            own[field.number] = value.ownBytes
        }
    }

    /// An entry of a map gets a value.
    package mutating func set(_ field: FieldDescription, _ key: any OwnFieldValue, to value: any OwnFieldValue) {
        own[ElementKey(.entry, key.ownBytes).path(in: field.number)] = value.ownBytes
    }

    /// A set gets some elements in place of those that it has.
    package mutating func set(_ field: FieldDescription, toElements values: [any OwnFieldValue]) {
        let wanted = values.map(\.ownBytes)
        let others = own.elements(.addition, of: field.number).filter { !wanted.contains($0.bytes) }
        own.replace(others.map { ($0.path, nil) })
        for value in values { add(value, to: field) }
    }

    /// A set gets an element if it has none of these bytes, a list a last one, and a counter that much more.
    package mutating func add(_ value: any OwnFieldValue, to field: FieldDescription) {
        let bytes = value.ownBytes
        switch field.shape {
        case .counter:
            if let count = value as? Int { own.add(count, minus: 0, to: field.number) }
        case .list:
            var generator = SystemRandomNumberGenerator()
            let slots = own.slots(of: field.number)
            let ranks = ListRank.completed(slots.map(\.rank) + [nil], using: &generator)
            let names = slots.map(\.name) + [ElementKey.fresh(.listElement).name]
            own.replace(zip(names, ranks).map { (ElementKey(.rank, $0).path(in: field.number), $1.bytes) })
            if let name = names.last { own[ElementKey(.listElement, name).path(in: field.number)] = bytes }
        default:
            guard !own.elements(.addition, of: field.number).contains(where: { $0.bytes == bytes }) else { return }
            own[ElementKey.fresh(.addition).path(in: field.number)] = bytes
        }
    }

    /// Takes all elements of these bytes out of a set or a list, and the entry of this key out of a map. Returns whether there were any.
    package mutating func remove(_ value: any OwnFieldValue, from field: FieldDescription) -> Bool {
        let bytes = value.ownBytes
        var paths: [FieldPath] = []
        switch field.shape {
        case .map: paths = [ElementKey(.entry, bytes).path(in: field.number)].filter { own[$0] != nil }
        case .list:
            paths = own.slots(of: field.number).filter { $0.element == bytes }
                .map { ElementKey(.listElement, $0.name).path(in: field.number) }
        default:
            paths = own.elements(.addition, of: field.number).filter { $0.bytes == bytes }.map(\.path)
        }
        own.replace(paths.map { ($0, nil) })
        return !paths.isEmpty
    }
}

extension OwnFieldValue {
    /// The bytes that a field has for it.
    var ownBytes: [UInt8] { Self.coding.encode(self) }

    /// Nil if there are no bytes, or if they cannot be read.
    init?(own bytes: [UInt8]?) {
        guard let bytes, !bytes.isEmpty, let value = Self.coding.decoded(bytes) else { return nil }
        self = value
    }
}
