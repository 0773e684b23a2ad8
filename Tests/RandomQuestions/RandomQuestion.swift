import Foundation
import TripStore

/// A condition and an order, and the query that they make.
struct RandomQuestion<Entity: Questioned> {
    let condition: RandomCondition<Entity>
    let order: RandomOrder<Entity>
    let query: Query<Entity>

    init(_ condition: RandomCondition<Entity>, _ order: RandomOrder<Entity>) {
        self.condition = condition
        self.order = order
        query = order.sorted(Query<Entity>().where { _ in condition.condition })
    }

    var words: String { "of \(Entity.rowKind) where \(condition.words) sorted by \(order.words)" }

    /// The rows that a plain filter finds.
    func matching(_ rows: QuestionRows) -> [QuestionRow] {
        rows.all.filter { $0.kind == Entity.rowKind && condition.holds($0, rows) }
    }

    /// Their ids in the order.
    func sorted(_ rows: [QuestionRow]) -> [UUID] {
        rows.sorted { a, b in
            let compared = order.compare(a, b)
            return compared != 0 ? compared < 0 : a.id < b.id
        }.map(\.id)
    }
}
