import Events
import Foundation

/// What an app has declared of a field with elements.
struct CollectionForm: Sendable {
    let shape: OwnFieldShape
    /// The type of a map's keys.
    var keyType: (any FieldValue.Type)?

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
        case (.list, .item): return key.name.isEmpty ? nil : elements
        case (.list, .rank): return key.name.isEmpty ? nil : ListRank.self
        default: return nil
        }
    }

    /// Whether an element under a key is a value that the app's rule judges.
    func isValue(_ key: [UInt8]) -> Bool {
        switch ElementKey(key)?.kind {
        case .addition, .entry, .item: true
        default: false
        }
    }

    /// Whether two declarations of a number agree.
    static func agree(_ a: CollectionForm?, _ b: CollectionForm?) -> Bool {
        a?.shape == b?.shape && a?.keyType == b?.keyType
    }
}
