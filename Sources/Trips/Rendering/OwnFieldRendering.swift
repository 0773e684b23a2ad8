import Events
import Foundation

/// What this process or the log knows of an app's own field, for showing it.
struct OwnFieldOutline {
    let name: String
    /// Nil if nothing is known, or if the log names a type that this version does not know.
    let type: (any FieldValue.Type)?
    let shape: OwnFieldShape?
    let keyType: (any FieldValue.Type)?

    init(_ kind: ConcreteKind, _ number: UInt64) {
        StoreKinds.declare()
        if let declared = kind.schema?.field(number) {
            (name, type) = (declared.name, declared.type)
            (shape, keyType) = (declared.collection?.shape ?? .value, declared.collection?.keyType)
        } else if let described = OwnFieldRegistry.shared.description(kind, number) {
            (name, type) = (described.name, described.type.values)
            (shape, keyType) = (described.shape, described.keyType.values)
        } else if kind.own != nil, number == FieldPath.parent.field {
            (name, type, shape, keyType) = ("parent", EntityReference.self, .value, nil)
        } else {
            (name, type, shape, keyType) = (FieldPath.ownName(of: number) ?? "field \(number)", nil, nil, nil)
        }
    }

    /// The value under a key for people and programs.
    func rendering(of bytes: [UInt8]?, under key: [UInt8]) -> FieldRendering {
        let name = name + label(of: key)
        // A field whose value has no bytes is cleared; an element without bytes is not.
        guard let bytes, !bytes.isEmpty || !key.isEmpty else {
            return FieldRendering(name: name, text: "", value: .null)
        }
        let (text, value) = Self.value(bytes, type(under: key))
        return FieldRendering(name: name, text: text, value: value)
    }

    private func type(under key: [UInt8]) -> (any FieldValue.Type)? {
        switch ElementKey(key)?.kind {
        case .share, .correction: Int.self
        case .rank: ListRank.self
        default: type
        }
    }

    private static func value(_ bytes: [UInt8], _ type: (any FieldValue.Type)?) -> (text: String, value: JSONValue) {
        if bytes.isEmpty, type is String.Type { return ("", .string("")) }
        if let known = type?.decoded(bytes) { return (known.text, known.json) }
        return ("0x" + bytes.hexadecimal, .object(["base64": .string(Data(bytes).base64EncodedString())]))
    }

    /// What tells elements of one field apart, for people: "[passport]". Of sets and lists the value does.
    private func label(of key: [UInt8]) -> String {
        guard !key.isEmpty else { return "" }
        guard let element = ElementKey(key) else { return "[\(key.hexadecimal)]" }
        return switch element.kind {
        case .addition, .item: ""
        case .rank: "[rank of \(element.name.prefix(4).hexadecimal)]"
        case .entry: "[\(Self.value(element.name, keyType).text)]"
        case .share: "[replica \(element.name.prefix(4).hexadecimal)]"
        case .correction: "[undoing \(element.name.prefix(4).hexadecimal)]"
        }
    }

    // MARK: Whole fields

    /// All of a field, its elements among it.
    func rendering(of number: UInt64, in own: OwnValues) -> FieldRendering {
        let shape = shape ?? own.values(of: number).lazy.compactMap { Self.shape($0.path.key) }.first ?? .value
        switch shape {
        case .set:
            let elements = own.elements(.addition, of: number).map(\.bytes)
            // Concurrent additions may have added one twice.
            let distinct = Set(elements).sorted { $0.lexicographicallyPrecedes($1) }
            return rendering(ofElements: distinct)
        case .list: return rendering(ofElements: own.slots(of: number).map(\.item))
        case .counter:
            let count = Int64(clamping: own.sum(of: number))
            return FieldRendering(name: name, text: "\(count)", value: .integer(count))
        case .map:
            let entries = own.elements(.entry, of: number).map { entry in
                (
                    key: Self.value(entry.path.element?.name ?? [], keyType).text,
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

    /// The collection that has elements under such a key.
    private static func shape(_ key: [UInt8]) -> OwnFieldShape? {
        switch ElementKey(key)?.kind {
        case .addition: .set
        case .share, .correction: .counter
        case .entry: .map
        case .rank, .item: .list
        case nil: nil
        }
    }
}
