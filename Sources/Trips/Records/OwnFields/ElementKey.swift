package import Events
import Foundation

/// The key of an element of an app's collection: one byte that says what the element is, then what tells it from others of its kind.
///
/// The byte is the same in all apps, so that a replica without the app shows, sums and undoes collections.
package struct ElementKey: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// An addition to a set, under 16 bytes that no other addition has: so a removal takes away the additions that its author saw,
        /// and no concurrent one. The value is the element.
        case addition = 1
        /// What a replica has added to a counter in all, under its id of 16 bytes: no other replica adds to it. The value is an integer.
        case share = 2
        /// An entry of a map, under the bytes of its key.
        case entry = 3
        /// Where an element of a list stands, under 16 bytes that name the element. The value is its rank.
        case rank = 4
        /// An element of a list, under its name. Apart from the rank, so that a concurrent move and a change of the element both count.
        case listElement = 5
        /// The negative of a commit's addition to a counter, under the first 16 bytes of the commit's hash: so replicas that undo the
        /// same commit subtract it once. The value is an integer.
        case correction = 6

        /// Whether it is a value that people give: rules judge it, and searches find it.
        var isValue: Bool { self == .addition || self == .entry || self == .listElement }
    }

    package let kind: Kind
    /// What tells the element from others of its kind.
    package let name: [UInt8]

    package init(_ kind: Kind, _ name: [UInt8]) {
        self.kind = kind
        self.name = name
    }

    /// Nil for a plain field, and for what a newer version may write.
    package init?(_ key: [UInt8]) {
        guard let first = key.first, let kind = Kind(rawValue: first) else { return nil }
        self.init(kind, Array(key.dropFirst()))
    }

    /// Whether it is part of a counter's count.
    package var isCounted: Bool { kind == .share || kind == .correction }

    /// A new element.
    static func fresh(_ kind: Kind) -> ElementKey { ElementKey(kind, UUID().bytes) }

    package var bytes: [UInt8] { [kind.rawValue] + name }

    package func path(in field: UInt64) -> FieldPath { FieldPath(field: field, key: bytes) }

    /// The writing replica's share of a counter in an event that is not written yet: its value is what is to be added.
    package static let ownShare = ElementKey(.share, [])
}

extension FieldPath {
    /// Nil for a plain field, for what is no app's, and for what a newer version may write.
    package var element: ElementKey? { isOwn ? ElementKey(key) : nil }
}
