import Events

/// An app's own list on one kind of entity, whose order people make by hand: stops, favourites, items as they are to be shown.
///
/// ```swift
/// extension Trip {
///     static let stops = OwnList<Trip, String>("org.example.trips", 7, "stops")
/// }
///
/// try await store.edit(lisbon) { $0[Trip.stops].insert("Sintra", at: 1) }
/// ```
///
/// Setting an array writes how it differs: what was inserted, removed, moved, and put in the place of something else. Concurrent
/// insertions all come in, and those of one commit stay together; of concurrent moves of one element the later counts, and a
/// removal takes an element away wherever it was moved to.
public struct OwnList<Entity: TripEntity, Element: OwnFieldValue>: DescribedField {
    let declaration: OwnDeclaration

    /// As `OwnField`: `isValid` is the rule of an element that is written here.
    public init(
        _ namespace: Namespace, _ number: UInt16, _ name: String, isValid: (@Sendable (Element) -> Bool)? = nil
    ) {
        declaration = OwnDeclaration(
            namespace, number, name, of: Entity.self, Element.self, CollectionForm(shape: .list), isValid)
    }

    public var namespace: Namespace { declaration.namespace }
    public var name: String { declaration.name }

    public var fieldDescription: FieldDescription { declaration.description(on: Entity.kind, Element.self, .list) }
}

extension TripEntity {
    /// The elements of an app's own list, in their order. What cannot be read here stays whatever is set.
    ///
    /// Reading is O(n · log n). Setting is O(n · changes): elements that occur once are recognised where they were moved to.
    public subscript<Element>(field: OwnList<Self, Element>) -> [Element] {
        get { own.places(of: field.declaration.number).compactMap { Element.coding.decoded($0.item) } }
        set {
            var generator = SystemRandomNumberGenerator()
            set(field, to: newValue, using: &generator)
        }
    }

    /// As the subscript's setter.
    mutating func set<Element>(
        _ field: OwnList<Self, Element>, to elements: [Element], using generator: inout some RandomNumberGenerator
    ) {
        let number = field.declaration.number
        let places = own.places(of: number)
        let old = places.compactMap { place in Element.coding.decoded(place.item).map { (place: place, element: $0) } }
        let alignment = ListAlignment(from: old.map(\.element), to: elements)
        for index in alignment.removed {
            own[ElementKey(.item, old[index].place.name).path(in: number)] = nil
            own[ElementKey(.rank, old[index].place.name).path(in: number)] = nil
        }
        // What stands between two that stay where they are gets ranks between theirs.
        var last = ListRank(bytes: [])
        var start = 0
        while start < elements.count {
            if case .kept(let index, _) = alignment.sources[start] {
                last = old[index].place.rank
                start += 1
                continue
            }
            var end = start
            var upper: ListRank?
            while upper == nil, end < elements.count {
                // Those to which others have given the same rank leave no room between them, and get another as well.
                if case .kept(let index, _) = alignment.sources[end], last < old[index].place.rank {
                    upper = old[index].place.rank
                } else {
                    end += 1
                }
            }
            let ranks = ListRank.run(
                end - start, after: last.bytes.isEmpty ? nil : last, before: upper, using: &generator)
            for (place, rank) in zip(start..<end, ranks) {
                let source = alignment.sources[place]
                let name = source.index.map { old[$0].place.name } ?? ElementKey.fresh(.item).name
                own[ElementKey(.rank, name).path(in: number)] = rank.bytes
                if source == .inserted {
                    own[ElementKey(.item, name).path(in: number)] = Element.coding.encode(elements[place])
                }
                last = rank
            }
            start = end
        }
        for (place, source) in alignment.sources.enumerated() {
            guard case .kept(let index, isReplaced: true) = source else { continue }
            own[ElementKey(.item, old[index].place.name).path(in: number)] = Element.coding.encode(elements[place])
        }
    }
}

extension OwnValues {
    /// An element of a list.
    struct Place: Hashable {
        /// What names it.
        let name: [UInt8]
        let rank: ListRank
        /// The bytes of the element.
        let item: [UInt8]
    }

    /// The elements of a list in their order; those of one rank by name. O(n · log n).
    func places(of number: UInt64) -> [Place] {
        var ranks: [[UInt8]: [UInt8]] = [:]
        for rank in elements(.rank, of: number) { ranks[Array(rank.path.key.dropFirst())] = rank.bytes }
        return elements(.item, of: number).map { item in
            let name = Array(item.path.key.dropFirst())
            return Place(name: name, rank: ListRank(bytes: ranks[name] ?? []), item: item.bytes)
        }.sorted { $0.rank != $1.rank ? $0.rank < $1.rank : $0.name.lexicographicallyPrecedes($1.name) }
    }
}
