import Events
import Foundation

/// How many values an app's field has, and what tells them apart.
package enum OwnFieldShape: OpenEnumeration {
    /// One value.
    case value
    case set, counter, map, list
    /// A shape that this version does not know, by its number. The store reads a known number as its case.
    case unknown(UInt32)

    package static let known: [(value: OwnFieldShape, name: String)] = [
        (.value, "value"), (.set, "set"), (.counter, "counter"), (.map, "map"), (.list, "list"),
    ]

    package var unknownNumber: UInt32? { if case .unknown(let number) = self { number } else { nil } }
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
