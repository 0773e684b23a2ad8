/// Keeps the model of a view for as long as the view asks the same store for the same rows.
///
/// Not observable itself: SwiftUI evaluates a view whose question or store changed anyway.
@MainActor
package final class LiveSlot<Row: Identifiable & Equatable & Sendable> where Row.ID: Sendable {
    private var held: (question: Question<Rows<Row>>, store: TripStore?, model: LiveModel<LiveRows<Row>>)?

    package init() {}

    /// The model that follows a question. Without a store it is loading.
    package func model(of question: Question<Rows<Row>>, in store: TripStore?) -> LiveModel<LiveRows<Row>> {
        if let held, held.question == question, held.store === store { return held.model }
        let model = store.map { LiveModel($0.live(question)) } ?? LiveModel()
        held = (question, store, model)
        return model
    }
}
