/// Keeps the model of a view for as long as the view asks the same store for the same rows.
///
/// Not observable itself: SwiftUI evaluates a view whose request or store changed anyway.
@MainActor
package final class LiveSlot<Row: Identifiable & Equatable & Sendable> where Row.ID: Sendable {
    private var held: (request: FetchRequest<Rows<Row>>, store: TripStore?, model: LiveModel<LiveRows<Row>>)?

    package init() {}

    /// The model that follows a request. Without a store it is loading.
    package func model(of request: FetchRequest<Rows<Row>>, in store: TripStore?) -> LiveModel<LiveRows<Row>> {
        if let held, held.request == request, held.store === store { return held.model }
        let model = store.map { LiveModel($0.live(request)) } ?? LiveModel()
        held = (request, store, model)
        return model
    }
}
