import ProjectionEngine

#if canImport(SwiftUI)
    import Foundation
    public import SwiftUI
#endif

extension TripStore {
    /// Lets go of the store's files before the system suspends the process: afterwards no lock, transaction or reader slot is held in its
    /// folder, and other processes use it as if this one had ended. A process that ends in this state loses nothing.
    ///
    /// Writes that have begun finish; then queries and writes throw ``TripStoreError/Code/suspended``, rebuilds and exchanges end, and live
    /// queries, subscriptions and syncs wait for `resume()`. A read that has not ended after half of the time throws, too. Does nothing if the
    /// store is suspended.
    ///
    /// Throws `TripStoreError.Code.timedOut` if something does not end in time, or the deadline has passed; everything goes on then.
    public func suspend(by deadline: ContinuousClock.Instant = .now + .seconds(3)) async throws {
        try await TripStoreError.wrapAsync { try await suspension.suspend(by: deadline) }
    }

    /// Takes up what `suspend` let go of, in the state in which other processes have left it. Does nothing if the store is not suspended.
    ///
    /// Throws what `open` throws, and `TripStoreError.Code.closed`; the store stays suspended then.
    public func resume() async throws {
        try await TripStoreError.wrapAsync {
            try views.checkOpen()
            try await suspension.resume()
        }
    }
}

#if canImport(SwiftUI)
    extension TripStore {
        /// Suspends the store when the app is in the background, and resumes it when it is not: call it when the `scenePhase` of the app, not of
        /// one of its scenes, changes.
        public func follow(_ phase: ScenePhase) {
            guard phase == .background else {
                Task { try await resume() }
                return
            }
            #if os(macOS)
                Task { try await suspend() }
            #else
                // The system waits for it; its thread belongs to no pool of Swift's.
                ProcessInfo.processInfo.performExpiringActivity(withReason: "TripStore.suspend") { [self] hasExpired in
                    if hasExpired { return }
                    let isDone = DispatchSemaphore(value: 0)
                    Task {
                        try? await suspend()
                        isDone.signal()
                    }
                    isDone.wait()
                }
            #endif
        }
    }
#endif
