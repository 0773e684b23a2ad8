import Synchronization

/// The line of a terminal that shows how far long work is: redrawn at most ten times a second, for drawing may take longer than the work.
final class ProgressLine: Sendable {
    private static let pause = Duration.milliseconds(100)

    private let now: @Sendable () -> Duration
    private let draw: @Sendable (String) -> Void
    private let state = Mutex<(drawn: Duration?, isShown: Bool)>((nil, false))

    /// - Parameter now: the time since any instant, the same one at each call.
    init(now: @escaping @Sendable () -> Duration, draw: @escaping @Sendable (String) -> Void) {
        self.now = now
        self.draw = draw
    }

    /// Shows a text in place of the one before, unless that was drawn just now. An empty one clears the line at once.
    func show(_ text: String) {
        state.withLock { state in
            if text.isEmpty {
                guard state.isShown else { return }
            } else {
                let time = now()
                if let drawn = state.drawn, time - drawn < Self.pause { return }
                state.drawn = time
            }
            state.isShown = !text.isEmpty
            draw(text)
        }
    }
}
