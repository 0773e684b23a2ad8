import Events
import LMDB

/// A view that a generation keeps beside those of its group, because a process asked for it: an index.
///
/// It is described by bytes, which lie in the generation: so every process that changes the views keeps it up to date, also those
/// whose app does not know it.
package struct AttachedView: Sendable {
    /// Its number among the parts of the file.
    let part: UInt8
    let definition: [UInt8]
    /// Nil if this version cannot tell the rows from the definition.
    package let projection: (any Projection)?

    /// The parts from here on are attached views.
    static let firstPart: UInt8 = 128
}

/// The attached views of a generation, as a row of it has them: for each the part (1 byte), the length of its definition (2), and
/// the definition.
struct AttachedViews: Sendable {
    private(set) var views: [AttachedView] = []

    init() {}

    /// From the row; what cannot be read ends the list, so that these views are made again.
    init(_ row: [UInt8], _ projection: ([UInt8]) -> (any Projection)?) {
        var rest = row[...]
        while let part = rest.popFirst(), part >= AttachedView.firstPart, let high = rest.popFirst(),
            let low = rest.popFirst()
        {
            let count = Int(high) << 8 | Int(low)
            guard rest.count >= count else { return }
            let definition = Array(rest.prefix(count))
            rest.removeFirst(count)
            views.append(AttachedView(part: part, definition: definition, projection: projection(definition)))
        }
    }

    var encoded: [UInt8] {
        views.flatMap { view in
            [
                view.part, UInt8(truncatingIfNeeded: view.definition.count >> 8),
                UInt8(truncatingIfNeeded: view.definition.count),
            ]
                + view.definition
        }
    }

    subscript(definition: [UInt8]) -> AttachedView? { views.first { $0.definition == definition } }

    /// Adds a view; nil if this version cannot make its rows, or if there is no part left.
    mutating func add(_ definition: [UInt8], _ projection: (any Projection)?) -> AttachedView? {
        guard let projection, definition.count <= 0xFFFF,
            let part = (AttachedView.firstPart...UInt8.max).first(where: { part in !views.contains { $0.part == part } }
            )
        else { return nil }
        let view = AttachedView(part: part, definition: definition, projection: projection)
        views.append(view)
        return view
    }

    /// Drops those that this version cannot keep up to date; false if there are none.
    mutating func removeUnknown() -> Bool {
        let count = views.count
        views.removeAll { $0.projection == nil }
        return views.count != count
    }
}
