// The views of the pages need SwiftUI, which Linux does not have. There this stand-in of the few names that they use
// takes its place: it checks them against the types of TripStore, not against those of SwiftUI.
#if canImport(SwiftUI)
    import SwiftUI
#else
    import TripStore

    @MainActor protocol View {
        associatedtype Body: View
        @ViewBuilder @MainActor var body: Body { get }
    }

    extension Never: View {
        var body: Never { return fatalError("never called") }
    }

    protocol Primitive: View where Body == Never {}

    extension Primitive {
        var body: Never { return fatalError("never called") }
    }

    @resultBuilder
    enum ViewBuilder {
        static func buildBlock<each Content>(_ content: repeat each Content) -> Block { Block() }
        static func buildOptional(_ block: Block?) -> Block { Block() }
        static func buildEither(first: Block) -> Block { first }
        static func buildEither(second: Block) -> Block { second }
    }

    struct Block: Primitive {}

    struct Text: Primitive {
        init(_ text: String) {}
    }

    struct List<Rows>: Primitive {
        init<Element: Identifiable>(_ rows: Rows, @ViewBuilder row: (Element) -> Block)
        where Rows: RandomAccessCollection, Rows.Element == Element {}
    }

    struct HStack: Primitive {
        init(@ViewBuilder content: () -> Block) {}
    }

    struct VStack: Primitive {
        init(@ViewBuilder content: () -> Block) {}
    }

    struct Spacer: Primitive {}

    struct Button: Primitive {
        init(_ title: String, action: @escaping @MainActor () -> Void) {}
    }

    @propertyWrapper @MainActor
    struct State<Value> {
        var wrappedValue: Value
        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
        init(initialValue: Value) { wrappedValue = initialValue }
    }

    struct EnvironmentValues {
        var tripStore: TripStore?
    }

    @propertyWrapper @MainActor
    struct Environment<Value> {
        let wrappedValue: Value
        init(_ path: KeyPath<EnvironmentValues, Value>) { wrappedValue = EnvironmentValues()[keyPath: path] }
    }

    extension View {
        func tripStore(_ store: TripStore?) -> Self { self }
    }

    /// As the one of TripStore, which needs SwiftUI.
    @propertyWrapper @MainActor
    struct Live<Row: Identifiable & Equatable & Sendable> where Row.ID: Sendable {
        init(_ request: FetchRequest<Rows<Row>>) {}

        var wrappedValue: [Row] { projectedValue.rows }
        var projectedValue: LiveModel<LiveRows<Row>> { fatalError("never called") }
    }
#endif
