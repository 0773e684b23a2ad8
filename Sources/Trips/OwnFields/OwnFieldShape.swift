import Events
import Foundation

/// How many values an app's field has, and what tells them apart.
public struct OwnFieldShape: OpenEnumeration {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// One value.
    public static let value = OwnFieldShape(rawValue: 0)
    public static let set = OwnFieldShape(rawValue: 1)
    public static let counter = OwnFieldShape(rawValue: 2)
    public static let map = OwnFieldShape(rawValue: 3)
    public static let list = OwnFieldShape(rawValue: 4)

    public static let known: [(value: OwnFieldShape, name: String)] = [
        (.value, "value"), (.set, "set"), (.counter, "counter"), (.map, "map"), (.list, "list"),
    ]
}

/// The declared form of a field with elements.
struct CollectionForm: Sendable {
    let shape: OwnFieldShape
    /// The type of a map's keys.
    var keyType: (any FieldValue.Type)?

    static let set = CollectionForm(shape: .set)
    static let list = CollectionForm(shape: .list)
    static let counter = CollectionForm(shape: .counter)
    static func map<Key: OwnFieldValue>(_ keys: Key.Type) -> CollectionForm {
        CollectionForm(shape: .map, keyType: Key.coding.type)
    }

    /// The type of the value under a key; nil where the collection has no such key. What a newer version may write is data.
    func valueType(of key: [UInt8], elements: any FieldValue.Type) -> (any FieldValue.Type)? {
        guard let key = ElementKey(key) else { return key.isEmpty ? nil : Data.self }
        switch (shape, key.kind) {
        case (.set, .addition): return key.name.isEmpty ? nil : elements
        case (.counter, .share), (.counter, .correction): return Int.self
        case (.map, .entry):
            do throws(WireError) {
                try keyType?.check(key.name)
                return elements
            } catch { return nil }
        case (.list, .listElement): return key.name.isEmpty ? nil : elements
        case (.list, .rank): return key.name.isEmpty ? nil : ListRank.self
        default: return nil
        }
    }

    /// Whether two declarations of a number agree.
    static func agree(_ a: CollectionForm?, _ b: CollectionForm?) -> Bool {
        a?.shape == b?.shape && a?.keyType == b?.keyType
    }
}
