import EventLog
import Events
import Synchronization

extension ServedSession {
    func respond(to request: RequestReader.Request) async throws {
        await turn.lock()
        defer { turn.unlock() }
        // Commits that other servers stored until now are known to the steps that follow.
        do { try await hosted.backed?.refresh() } catch  where hosted.backed?.isStale == true {
        } catch  where !(error is CancellationError) {
            observe(.refused(journal, greeting.replica, code: SessionEvent.ownFault))
            throw error
        }
        _ = try await checkRights()
        let message = try? request.message.get()
        let further = try message?.answerSize(lines: log.read { try $0.lineCount() })
        if let further { try await room.reserve(further) }
        defer { keepOutline(of: message) }
        do {
            try await server.respond(to: request.message) { response, isLast in
                let cost = room.claim(response.count)
                defer { room.give(cost) }
                if state.withLock({ $0.isStopped }) { throw Stopped() }
                // A long answer may outlast the client's membership.
                _ = try await checkRights()
                guard !isLast else {
                    room.give(request.cost)
                    // The next request may come as soon as this is sent.
                    state.withLock { $0.isBusy = false }
                    return try await answer(.lastResponse(response))
                }
                try await answer(.response(response))
                if state.withLock({ $0.isDraining }) { throw Over() }
                if let further { try await room.reserve(further) }
            }
        } catch is Stopped {
            room.give(request.cost)
            state.withLock { $0.isBusy = false }
            try await answer(.lastResponse([]))
        }
    }

    /// The hashes of an attachment's parts stay in memory while its parts are waited for.
    private func keepOutline(of request: ExchangeMessage?) {
        switch request {
        case .contentRequest(.begin(_, let outline)):
            room.keep(outline.leaves.count * Digest.size)
            room.share?.awaits(.parts, true)
        case .contentRequest(.store): break
        default:
            room.keep(0)
            room.share?.awaits(.parts, false)
        }
    }

    /// Sends an answer. Meanwhile it is the client that is waited for.
    private func answer(_ frame: SessionFrame) async throws {
        room.share?.awaits(.taking, true)
        try await send(frame)
        room.share?.awaits(.taking, false)
    }
}
