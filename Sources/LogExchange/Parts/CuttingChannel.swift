import Events

/// A channel of a connection that may be cut at any time: what is large is sent in parts, and parts are kept aside.
protocol CuttingChannel: MessageChannel {
    /// Keeps what the other side sends; nil if this side stores nothing.
    var keeper: PartKeeper? { get }

    /// What the other side held aside when it greeted; nil if it takes no parts.
    var heldThere: HeldParts? { get }
    func note(heldThere: HeldParts?)

    /// Sends one request in several messages.
    func call(_ messages: [ExchangeMessage], _ body: ([UInt8]) async throws -> Void) async throws
}
