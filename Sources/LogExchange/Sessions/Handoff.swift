import Synchronization

/// Hands elements from one task to another, one at a time and without a buffer: `put` returns once the element
/// was taken, or, if the handoff `awaitsHandling`, once the taker asks for the next one.
///
/// One task puts and one takes. A cancelled call ends the handoff for both.
package final class Handoff<Element: Sendable>: Sendable {
    private struct State {
        var element: Element?
        var putter: CheckedContinuation<Void, any Error>?
        var taker: CheckedContinuation<Element?, any Error>?
        var end: End?
    }

    private enum End {
        case inOrder
        case failed(any Error)
    }

    private let awaitsHandling: Bool
    private let state = Mutex(State())

    package init(awaitsHandling: Bool = false) { self.awaitsHandling = awaitsHandling }

    /// Hands the element over. Throws the error of `finish`, `ExchangeError.cut` after an end in order, or
    /// `CancellationError`.
    package func put(_ element: Element) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let resume = state.withLock { state -> @Sendable () -> Void in
                    if let end = state.end { return { continuation.resume(throwing: Self.error(end)) } }
                    if state.putter != nil { return { continuation.resume(throwing: Self.twoAtOnce) } }
                    guard let taker = state.taker else {
                        state.element = element
                        state.putter = continuation
                        return {}
                    }
                    state.taker = nil
                    if awaitsHandling {
                        state.putter = continuation
                        return { taker.resume(returning: element) }
                    }
                    return {
                        taker.resume(returning: element)
                        continuation.resume()
                    }
                }
                resume()
            }
        } onCancel: {
            finish(throwing: CancellationError())
        }
    }

    /// The next element; nil after an end in order. Throws the error of `finish`, or `CancellationError`.
    package func take() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Element?, any Error>) in
                let resume = state.withLock { state -> @Sendable () -> Void in
                    switch state.end {
                    case .inOrder: return { continuation.resume(returning: nil) }
                    case .failed(let error): return { continuation.resume(throwing: error) }
                    case nil: break
                    }
                    if state.taker != nil { return { continuation.resume(throwing: Self.twoAtOnce) } }
                    guard let element = state.element.take() else {
                        // The element before was handled.
                        let handled = state.putter.take()
                        state.taker = continuation
                        return { handled?.resume() }
                    }
                    let taken = awaitsHandling ? nil : state.putter.take()
                    return {
                        taken?.resume()
                        continuation.resume(returning: element)
                    }
                }
                resume()
            }
        } onCancel: {
            finish(throwing: CancellationError())
        }
    }

    /// Ends the handoff, with an error or in order, and the calls that wait. Only the first end counts.
    package func finish(throwing error: (any Error)? = nil) {
        let (end, putter, taker) = state.withLock { state in
            guard state.end == nil else {
                return (
                    End.inOrder, CheckedContinuation<Void, any Error>?.none,
                    CheckedContinuation<Element?, any Error>?.none
                )
            }
            let end = error.map(End.failed) ?? .inOrder
            state.end = end
            defer { (state.element, state.putter, state.taker) = (nil, nil, nil) }
            return (end, state.putter, state.taker)
        }
        putter?.resume(throwing: Self.error(end))
        switch end {
        case .inOrder: taker?.resume(returning: nil)
        case .failed(let error): taker?.resume(throwing: error)
        }
    }

    private static func error(_ end: End) -> any Error {
        switch end {
        case .inOrder: ExchangeError(.cut, "The connection is closed.")
        case .failed(let error): error
        }
    }

    private static var twoAtOnce: ExchangeError {
        ExchangeError(.cut, "Two tasks use one direction of a connection at once. Use one for each direction.")
    }
}
