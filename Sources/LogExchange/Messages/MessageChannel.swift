/// Carries requests to a `MessageServer`: all that a network carrier must do.
///
/// Each request is complete in itself and may be repeated. Messages have a bound, `ExchangeMessage.largest`.
public protocol MessageChannel: Sendable {
    /// Sends a request and passes the responses to `body`, one at a time and in order. Throws the failure that ends it;
    /// an error of `body` ends it and is rethrown.
    func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws
}
