import Events

/// The views that a generation keeps beside those of its group, because processes asked for them: indexes.
///
/// Each is described by bytes, which lie in the generation: so every process that changes the views keeps it up to date, also those whose
/// app does not know it. The rows of all lie in one part, and their keys begin with the view's number.
package struct AttachedViews: Sendable {
    package struct View: Sendable, Hashable {
        package let number: UInt8
        package let definition: [UInt8]
    }

    /// Makes the rows of some views: of those whose definitions this version knows.
    package typealias Maker = @Sendable ([View]) -> (projection: any Projection, known: [View])

    package private(set) var views: [View]
    /// Makes the rows of all; nil if there are none.
    package private(set) var projection: (any Projection)?
    private let make: Maker
    /// Those whose definitions this version does not know: it does not keep them up to date.
    private(set) var unknown: [View] = []

    /// The name under which changes of the rows are recorded.
    package static let name = "indexes"

    /// None.
    init(_ make: @escaping Maker) { self.init([], make) }

    private init(_ views: [View], _ make: @escaping Maker) {
        self.views = views
        self.make = make
        update()
    }

    /// From the row that stores them: for each the number (1 byte), the length of its definition (2), and the definition. What cannot be read
    /// ends the list, and is made again.
    init(row: [UInt8], _ make: @escaping Maker) {
        var views: [View] = []
        var rest = row[...]
        while let number = rest.popFirst(), let high = rest.popFirst(), let low = rest.popFirst() {
            let count = Int(high) << 8 | Int(low)
            guard rest.count >= count else { break }
            views.append(View(number: number, definition: Array(rest.prefix(count))))
            rest.removeFirst(count)
        }
        self.init(views, make)
    }

    /// Without those that are unknown, or with them: their numbers then stay taken.
    func encoded(withUnknown: Bool) -> [UInt8] {
        (views + (withUnknown ? unknown : [])).flatMap { view in
            [view.number] + UInt16(clamping: view.definition.count).bigEndianBytes + view.definition
        }
    }

    /// Adds those that are missing, as far as this version knows them and there are numbers left; returns them.
    mutating func add(_ definitions: [[UInt8]]) -> [View] {
        let before = views
        for definition in definitions
        where definition.count <= 0xFFFF && !views.contains(where: { $0.definition == definition }) {
            guard
                let number = (0..<Self.reservedNumber).first(where: { number in
                    !(views + unknown).contains { $0.number == number }
                })
            else {
                break
            }
            views.append(View(number: number, definition: definition))
        }
        update()
        return views.filter { !before.contains($0) }
    }

    /// The number of rows that are no view's, but the projection's own.
    package static let reservedNumber = UInt8.max

    private mutating func update() {
        guard !views.isEmpty else { return }
        let (projection, known) = make(views)
        unknown += views.filter { !known.contains($0) }
        views = known
        self.projection = known.isEmpty ? nil : projection
    }
}
