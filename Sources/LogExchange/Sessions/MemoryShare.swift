/// The part of a server's memory that one connection holds. It gives back what it holds when it is released.
public final class MemoryShare: Sendable {
    /// An action of a client that a server can wait for.
    public enum Awaited: Sendable {
        /// The rest of a frame.
        case rest
        /// That it takes an answer.
        case taking
        /// The parts of an attachment that it has begun to send.
        case parts
    }

    private let memory: SessionMemory
    private let number: UInt64

    init(of memory: SessionMemory, _ number: UInt64) {
        self.memory = memory
        self.number = number
    }

    deinit { end() }

    /// The most that all shares hold together.
    var most: Int { memory.most }

    /// Whether the bytes are held now; otherwise `resume` is called once they are, or with false if the share has ended.
    public func take(_ bytes: Int, resume: @escaping @Sendable (Bool) -> Void) -> Bool {
        guard let isTaken = memory.take(bytes, for: number, resume: resume) else {
            resume(false)
            return false
        }
        return isTaken
    }

    /// Holds bytes once there is room. Throws `ExchangeError.cut` if the share was ended meanwhile; a cancelled task ends it.
    public func take(_ bytes: Int) async throws {
        let isTaken = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if take(bytes, resume: { continuation.resume(returning: $0) }) { continuation.resume(returning: true) }
            }
        } onCancel: {
            end()
        }
        guard isTaken else {
            throw ExchangeError(.cut, "The connection was ended: others waited for the memory that it held.")
        }
    }

    /// Holds bytes that are there already, whether there is room or not.
    public func add(_ bytes: Int) { memory.add(bytes, to: number) }

    /// Gives bytes back.
    public func give(_ bytes: Int) { memory.give(bytes, of: number) }

    /// The client is served from now on.
    public func serve() { memory.change(number) { $0.isServed = true } }

    /// Whether the client is waited for: only then is the share ended where it stops.
    public func awaits(_ what: Awaited, _ isAwaited: Bool) {
        memory.change(number) { held in
            // Its time begins now.
            if held.awaited.isEmpty { held.looked = nil }
            if isAwaited { held.awaited.insert(what) } else { held.awaited.remove(what) }
        }
    }

    /// Gives everything back, and lets those that wait for it fail. May be repeated.
    public func end() { memory.end(number) }
}
