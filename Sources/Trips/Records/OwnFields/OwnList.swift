import Events

/// An app's own list on one kind of entity, whose order people make by hand: stops, favourites, tasks as they are to be shown.
///
/// ```swift
/// extension Book {
///     static let quotes = OwnList<Book, String>("org.example.reading", 7, "quotes")
/// }
///
/// try await store.edit(dune) { $0[Book.quotes].insert("Fear is the mind-killer.", at: 0) }
/// ```
///
/// Setting an array writes how it differs: which elements were inserted, removed, moved, and replaced by others. All concurrent
/// insertions count, and those of one edit stay together. Of concurrent moves of one element the later counts, and a
/// removal takes an element away wherever it was moved to. Where one removes an element and another replaces it, the later counts.
public struct OwnList<Entity: TripEntity, Element: OwnFieldValue>: DeclaredField {
    let field: EntitySchema.Field

    init(_ field: EntitySchema.Field) { self.field = field }

    /// Declares a field as `OwnField` does. `isValid` is the rule of an element that is written here.
    public init(
        _ namespace: Namespace, _ number: UInt16, _ name: String, isSearched: Bool = false,
        isValid: (@Sendable (Element) -> Bool)? = nil
    ) {
        self.init(declaring: number, in: namespace, name, Element.self, .list, isSearched: isSearched, isValid: isValid)
    }
}

extension TripEntity {
    /// The elements of an app's own list, in their order. What cannot be read here stays whatever is set. O(n · log n).
    public subscript<Element>(field: OwnList<Self, Element>) -> [Element] {
        get { own.slots(of: field.number).compactMap { Element.coding.decoded($0.element) } }
        set {
            var generator = SystemRandomNumberGenerator()
            set(field, to: newValue, using: &generator)
        }
    }

    /// As the subscript's setter.
    mutating func set<Element>(
        _ field: OwnList<Self, Element>, to elements: [Element], using generator: inout some RandomNumberGenerator
    ) {
        let number = field.number
        let old = own.slots(of: number).compactMap { slot in
            Element.coding.decoded(slot.element).map { (slot: slot, element: $0) }
        }
        let alignment = ListAlignment(from: old.map(\.element), to: elements)
        if alignment.isUnchanged { return }
        // An element that this draft removed before was moved.
        var removed = own.removedElements(of: number)
        // The rank stays: another may have replaced the element meanwhile, and that is still there.
        var changes: [(FieldPath, [UInt8]?)] = alignment.removed.map { index in
            own.noteRemoval(of: old[index].slot, from: number)
            return (ElementKey(.listElement, old[index].slot.name).path(in: number), nil)
        }
        let known = alignment.sources.map { source -> ListRank? in
            if case .kept(let index, _) = source { old[index].slot.rank } else { nil }
        }
        for (index, rank) in zip(elements.indices, ListRank.completed(known, using: &generator)) {
            let source = alignment.sources[index]
            let name =
                source.index.map { old[$0].slot.name } ?? removed[Element.coding.encode(elements[index])]?.popLast()
                ?? ElementKey.fresh(.listElement).name
            if rank != known[index] { changes.append((ElementKey(.rank, name).path(in: number), rank.bytes)) }
            switch source {
            case .inserted, .kept(_, isReplaced: true):
                changes.append(
                    (ElementKey(.listElement, name).path(in: number), Element.coding.encode(elements[index])))
            default: break
            }
        }
        own.replace(changes)
    }
}

extension OwnValues {
    /// An element of a list, and where it stands.
    struct Slot: Hashable {
        /// What names it.
        let name: [UInt8]
        let rank: ListRank
        /// The bytes of the element.
        let element: [UInt8]
    }

    /// The elements of a list in their order; those of one rank by name. O(n · log n).
    func slots(of number: UInt64) -> [Slot] {
        if isEmpty { return [] }
        var ranks: [[UInt8]: [UInt8]] = [:]
        for rank in elements(.rank, of: number) { ranks[rank.path.element?.name ?? []] = rank.bytes }
        return elements(.listElement, of: number).map { value in
            let name = value.path.element?.name ?? []
            return Slot(name: name, rank: ListRank(bytes: ranks[name] ?? []), element: value.bytes)
        }.sorted { $0.rank != $1.rank ? $0.rank < $1.rank : $0.name.lexicographicallyPrecedes($1.name) }
    }
}
