import Synchronization

/// Hands elements from one task to another, each only when the other asks for it: so a slow receiver slows the sender.
final class Handoff<Element: Sendable>: Sendable {
    private struct State {
        var offered: Element?
        var sender: CheckedContinuation<Void, any Error>?
        var receiver: CheckedContinuation<Element, any Error>?
        var end: (any Error)?
    }

    private let state = Mutex(State())

    /// Waits until the receiver has taken the element. Throws why it was ended.
    func send(_ element: Element) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let (receiver, outcome): (CheckedContinuation<Element, any Error>?, Result<Void, any Error>?) =
                state.withLock { state in
                    if let end = state.end { return (nil, .failure(end)) }
                    if let receiver = state.receiver.take() { return (receiver, .success(())) }
                    state.offered = element
                    state.sender = continuation
                    return (nil, nil)
                }
            receiver?.resume(returning: element)
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// The next element. Throws why it was ended.
    func next() async throws -> Element {
        try await withCheckedThrowingContinuation { continuation in
            let (sender, outcome): (CheckedContinuation<Void, any Error>?, Result<Element, any Error>?) =
                state.withLock { state in
                    if let element = state.offered.take() { return (state.sender.take(), .success(element)) }
                    if let end = state.end { return (nil, .failure(end)) }
                    state.receiver = continuation
                    return (nil, nil)
                }
            sender?.resume()
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// Both sides throw from now on.
    func end(_ error: any Error) {
        let (sender, receiver) = state.withLock { state in
            state.end = state.end ?? error
            state.offered = nil
            return (state.sender.take(), state.receiver.take())
        }
        sender?.resume(throwing: error)
        receiver?.resume(throwing: error)
    }
}
