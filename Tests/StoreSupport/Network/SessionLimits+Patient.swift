public import LogExchange

extension SessionLimits {
    /// Refuses at once, and never takes a machine with much else to do for a dead connection.
    public static let patient = SessionLimits(
        greeting: .seconds(600), refusal: .zero, ping: .seconds(600), patience: .seconds(600), pause: .seconds(600),
        answering: .seconds(600))
}
