#if canImport(SwiftUI)
    public import SwiftUI

    /// The rows of a live query in a view, of the store in its environment.
    ///
    /// ```swift
    /// @Live(.rows(of: Query<Book>().limit(20))) private var books
    ///
    /// var body: some View {
    ///     List(books) { Text($0.title) }
    ///     if $books.hasMore { Button("More") { $books.loadMore() } }
    /// }
    /// ```
    ///
    /// The projected value is the model: its `phase`, `loadMore()` and `retry()`. A view with a new request, or another
    /// store, follows that one.
    @MainActor
    @propertyWrapper
    public struct Live<Row: Identifiable & Equatable & Sendable>: DynamicProperty where Row.ID: Sendable {
        @Environment(\.tripStore) private var store
        @State private var slot = LiveSlot<Row>()
        private let request: FetchRequest<Rows<Row>>

        public init(_ request: FetchRequest<Rows<Row>>) { self.request = request }

        public var wrappedValue: [Row] { projectedValue.rows }

        public var projectedValue: LiveModel<LiveRows<Row>> { slot.model(of: request, in: store) }
    }
#endif
