import Synchronization

/// Bounds the bytes that were received of all clients together and are not handled yet: those of frames that are not whole, of
/// frames that wait, and of requests until they are answered.
///
/// A transport stops reading while there are too many. Frames that are half received cannot all be completed then, so that one reader at
/// a time may go on: the one that has waited longest. It keeps that right until it has a whole frame, and loses it to another after a
/// while, so that a slow sender does not stop all others. The bytes may thus exceed the bound by a frame or a few.
public final class ReceivedMemory: Sendable {
    private struct State {
        var held = 0
        /// The reader that may exceed the bound, and since when.
        var exempt: (reader: ObjectIdentifier, since: Duration)?
        /// Readers that wait, in their order.
        var waiting: [(reader: ObjectIdentifier, resume: @Sendable () -> Void)] = []
    }

    /// The bound, in bytes.
    public let most: Int
    /// How long one reader may exceed the bound before another does.
    public let turn: Duration
    private let now: @Sendable () -> Duration
    private let state = Mutex(State())

    public init(
        most: Int, turn: Duration = .seconds(5),
        now: @escaping @Sendable () -> Duration = SessionDependencies.system.now
    ) {
        self.most = most
        self.turn = turn
        self.now = now
    }

    /// The bytes that are held now.
    public var held: Int { state.withLock { $0.held } }

    /// How many readers wait.
    public var waitingReaders: Int { state.withLock { $0.waiting.count } }

    /// Bytes arrived, or a request is being handled.
    public func add(_ bytes: Int) { state.withLock { $0.held += bytes } }

    /// Bytes were handled. Resumes readers once there is room.
    public func remove(_ bytes: Int) {
        resume { state in state.held -= bytes }
    }

    /// Whether a reader may read now; if not, `resume` is called once it should ask again.
    public func mayRead(_ reader: AnyObject, resume: @escaping @Sendable () -> Void) -> Bool {
        let id = ObjectIdentifier(reader)
        return state.withLock { state in
            state.waiting.removeAll { $0.reader == id }
            if state.held < most || state.exempt?.reader == id { return true }
            let now = now()
            guard let exempt = state.exempt, now - exempt.since < turn else {
                state.exempt = (id, now)
                return true
            }
            state.waiting.append((id, resume))
            return false
        }
    }

    /// A reader has a whole frame, or will not read any more: another may exceed the bound.
    public func yield(_ reader: AnyObject) {
        let id = ObjectIdentifier(reader)
        resume { state in
            state.waiting.removeAll { $0.reader == id }
            if state.exempt?.reader == id { state.exempt = nil }
        }
    }

    /// Resumes all readers that wait if there is room, or the first one if none may exceed the bound.
    private func resume(after change: (inout State) -> Void) {
        let resumed = state.withLock { state in
            change(&state)
            if state.held < most {
                defer { state.waiting = [] }
                return state.waiting.map(\.resume)
            }
            guard state.exempt == nil, !state.waiting.isEmpty else { return [] }
            return [state.waiting.removeFirst().resume]
        }
        for resume in resumed { resume() }
    }
}
