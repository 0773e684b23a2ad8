import Events
import Foundation

extension EntitySchema.Field {
    /// The field as a store knows it, for showing it: one of which nothing is known is called by its number, has
    /// data, and is the collection that has the elements of `own`.
    static func shown(
        _ kind: ConcreteKind, _ number: UInt64, of own: OwnValues = OwnValues(), in known: KnownSchema?
    ) -> EntitySchema.Field {
        if let declared = known.declared.schema(of: kind)?.field(number) { return declared }
        if let described = known.description(kind, number) {
            return EntitySchema.Field(described: described, described.type.values ?? Data.self)
        }
        let isParent = kind.own != nil && number == FieldPath.parent.field
        let shape = own.values(of: number).lazy.compactMap { ElementKey($0.path.key)?.kind.shape }.first
        return EntitySchema.Field(
            number: number, name: isParent ? "parent" : FieldPath.ownName(of: number) ?? "field \(number)", help: nil,
            rules: EntitySchema.FieldRules(isParent ? EntityReference.self : Data.self, nil), storage: .none,
            collection: isParent ? nil : shape.map { CollectionForm(shape: $0) })
    }

    /// The value under a key for people and programs.
    func rendering(of bytes: [UInt8]?, under key: [UInt8]) -> FieldRendering {
        let name = name + label(of: key)
        // A field whose value has no bytes is cleared; an element without bytes is not.
        guard let bytes, !bytes.isEmpty || !key.isEmpty else {
            return FieldRendering(name: name, text: "", value: .null)
        }
        let type: any FieldValue.Type =
            switch ElementKey(key)?.kind {
            case .share, .correction: Int.self
            case .rank: ListRank.self
            default: type
            }
        let (text, value) = Self.value(bytes, type)
        return FieldRendering(name: name, text: text, value: value)
    }

    /// A value for people and programs: its bytes where it cannot be read.
    static func value(_ bytes: [UInt8], _ type: (any FieldValue.Type)?) -> (text: String, value: JSONValue) {
        if bytes.isEmpty, type is String.Type { return ("", .string("")) }
        if let known = type?.decoded(bytes) { return (known.text, known.json) }
        return ("0x" + bytes.hexadecimal, .object(["base64": .string(Data(bytes).base64EncodedString())]))
    }

    /// What tells elements of one field apart, for people: "[passport]". Of sets and lists the value does.
    private func label(of key: [UInt8]) -> String {
        guard !key.isEmpty else { return "" }
        guard let element = ElementKey(key) else { return "[\(key.hexadecimal)]" }
        return switch element.kind {
        case .addition, .listElement: ""
        case .rank: "[rank of \(element.name.prefix(4).hexadecimal)]"
        case .entry: "[\(Self.value(element.name, collection?.keyType).text)]"
        case .share: "[replica \(element.name.prefix(4).hexadecimal)]"
        case .correction: "[undoing \(element.name.prefix(4).hexadecimal)]"
        }
    }

    // MARK: Whole fields

    /// All of a field, its elements among it.
    func rendering(in own: OwnValues) -> FieldRendering {
        switch collection?.shape {
        case .set?:
            let elements = own.elements(.addition, of: number).map(\.bytes)
            // Concurrent additions may have added one twice.
            let distinct = Set(elements).sorted { $0.lexicographicallyPrecedes($1) }
            return rendering(ofElements: distinct)
        case .list?: return rendering(ofElements: own.slots(of: number).map(\.element))
        case .counter?:
            let count = Int64(clamping: own.sum(of: number))
            return FieldRendering(name: name, text: "\(count)", value: .integer(count))
        case .map?:
            let entries = own.elements(.entry, of: number).map { entry in
                (
                    key: Self.value(entry.path.element?.name ?? [], collection?.keyType).text,
                    value: Self.value(entry.bytes, type)
                )
            }
            return FieldRendering(
                name: name, text: entries.map { "\($0.key): \($0.value.text)" }.joined(separator: ", "),
                value: .object(Dictionary(entries.map { ($0.key, $0.value.value) }) { $1 }))
        default: return rendering(of: own[number], under: [])
        }
    }

    private func rendering(ofElements elements: [[UInt8]]) -> FieldRendering {
        let values = elements.map { Self.value($0, type) }
        return FieldRendering(
            name: name, text: values.map(\.text).joined(separator: ", "), value: .array(values.map(\.value)))
    }
}

extension ElementKey.Kind {
    /// The collection that has such elements.
    fileprivate var shape: OwnFieldShape {
        switch self {
        case .addition: .set
        case .share, .correction: .counter
        case .entry: .map
        case .rank, .listElement: .list
        }
    }
}
