/// Steps in before a store writes and reads: for tests of what an app does when that fails or takes long.
///
/// `TripStoreTestSupport` has one that fails and waits on demand.
public protocol StoreInterceptor: Sendable {
    /// Before each commit. What it throws the writer gets, and nothing is written.
    func willWrite() async throws

    /// Before each query, live ones included. What it throws the reader gets.
    func willRead() throws
}
