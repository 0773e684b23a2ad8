/// Carries requests to where a `MessageServer` answers them: all that a network carrier must do.
///
/// Each request is complete in itself and may be made again. Messages have a bound, `ExchangeMessage.largest`.
public protocol MessageChannel: Sendable {
    /// Sends a request and hands the answers to `body`, one at a time and in order. Throws what ends it; what `body` throws
    /// ends it and is thrown on.
    func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws
}
