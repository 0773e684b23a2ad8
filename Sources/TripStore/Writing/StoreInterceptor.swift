/// Is called before a store writes and reads: to test what an app does if that fails or takes long.
///
/// `TripStoreTestSupport` has one that fails and waits on demand.
package protocol StoreInterceptor: Sendable {
    /// Called before each commit. Its error is thrown to the writer, and nothing is written.
    func willWrite() async throws

    /// Called before each query, live ones included. Its error is thrown to the reader.
    func willRead() throws
}

extension TripStore.Options {
    /// Sets an interceptor.
    package func intercepted(by interceptor: any StoreInterceptor) -> Self {
        var options = self
        options.interceptor = interceptor
        return options
    }
}
