#if canImport(SwiftUI)
    public import SwiftUI

    extension EnvironmentValues {
        /// The store that `@Live` queries; nil while none is open.
        public var tripStore: TripStore? {
            get { self[TripStoreKey.self] }
            set { self[TripStoreKey.self] = newValue }
        }
    }

    private struct TripStoreKey: EnvironmentKey {
        static let defaultValue: TripStore? = nil
    }

    extension View {
        /// Sets the store of a view and the views within it. With nil, for a store that is being opened, their queries
        /// are loading.
        public func tripStore(_ store: TripStore?) -> some View { environment(\.tripStore, store) }
    }
#endif
