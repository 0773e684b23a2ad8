/// The error that `body` throws; nil if it throws none.
func failure(of body: () async throws -> Void) async -> (any Error)? {
    do { try await body() } catch { return error }
    return nil
}
