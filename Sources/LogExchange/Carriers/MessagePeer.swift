public import EventLog
public import Events

/// A peer that is reached by messages.
public struct MessagePeer: ExchangePeer {
    private let channel: any MessageChannel

    public init(_ channel: any MessageChannel) { self.channel = channel }

    /// The channel, if it is one of a connection that may be cut.
    var cutting: (any CuttingChannel)? { channel as? any CuttingChannel }

    public func greet(_ greeting: Greeting) async throws -> Greeting {
        let response = try await one(.greeting(greeting))
        guard case .greeting(let greeting) = response else { throw Self.unexpected }
        cutting?.note(heldThere: greeting.held)
        return greeting
    }

    public func frontier() async throws -> Frontier {
        let response = try await one(.frontierRequest)
        guard case .frontier(let frontier) = response else { throw Self.unexpected }
        return frontier
    }

    public func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        var request = request
        let keeper = cutting?.keeper
        request.parts = keeper?.held()
        var assembly = SegmentAssembly(keeper)
        try await many(.segmentRequest(request)) { response in
            switch response {
            // An empty message would allow an endless stream of them.
            case .segments(let segments) where !segments.isEmpty && !assembly.isWithin:
                for segment in segments { try await body(segment) }
                return UInt64(segments.count)
            case .segmentParts(let parts) where request.parts != nil:
                var count: UInt64 = 0
                for part in parts {
                    guard let segment = try assembly.add(part) else { continue }
                    try await body(segment)
                    count += 1
                }
                return count
            default: throw Self.unexpected
            }
        }
    }

    public func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        let response = try await resuming({ try await one(cut(segments)) }, forget: { forget(segments) })
        guard case .acknowledgement(let acknowledgement) = response else { throw Self.unexpected }
        return acknowledgement
    }

    /// Makes a request of which the other side may hold the first parts; once more, whole, if it does not hold them any more.
    func resuming<T>(_ request: () async throws -> T, forget: () -> Void) async throws -> T {
        defer { forget() }
        do { return try await request() } catch let error as ExchangeError
            where error.refusal == ExchangeError.Code.notKept.rawValue
        {
            forget()
            return try await request()
        }
    }

    /// One message if the segments are small, or the other side takes no parts.
    private func cut(_ segments: [LineSegment]) -> [ExchangeMessage] {
        guard let held = cutting?.heldThere else { return [.segments(segments)] }
        let messages = SegmentCutter(held).messages(of: segments)
        return messages.enumerated().map { index, parts in
            index + 1 == messages.count ? .segmentParts(parts) : .part(.segmentParts(parts))
        }
    }

    /// What the other side held of some segments is used up.
    private func forget(_ segments: [LineSegment]) {
        guard let cutting, var held = cutting.heldThere else { return }
        held.commits = held.commits.filter { commit in
            !segments.contains { $0.replica == commit.replica && ($0.first...$0.last).contains(commit.sequence) }
        }
        if !held.pieces.isEmpty {
            for commit in segments.lazy.flatMap(\.commits) where commit.count > SegmentCutter.most {
                held.pieces[commit.withUnsafeBytes { ContentTree.leaf($0) }] = nil
            }
        }
        cutting.note(heldThere: held)
    }

    public func acknowledge(_ acknowledgement: Acknowledgement) async throws {
        let response = try await one(.acknowledgement(acknowledgement))
        guard case .end = response else { throw Self.unexpected }
    }

    public var contents: (any ContentPeer)? { MessageContents(self) }

    func ask(_ requests: ContentRequest...) async throws -> ContentResponse { try await ask(requests) }

    /// Makes one request, in one message or several.
    func ask(_ requests: [ContentRequest]) async throws -> ContentResponse {
        let response = try await one(
            requests.enumerated().map { index, request in
                index + 1 == requests.count ? .contentRequest(request) : .part(.contentRequest(request))
            })
        guard case .contentResponse(let response) = response else { throw Self.unexpected }
        return response
    }

    /// Makes a request with several responses; `body` returns whether an element is complete with one.
    func askMany(_ request: ContentRequest, _ body: (ContentResponse) async throws -> Bool) async throws {
        try await many(.contentRequest(request)) { response in
            guard case .contentResponse(let response) = response else { throw Self.unexpected }
            return try await body(response) ? 1 : 0
        }
    }

    public func holes(after: Digest?) async throws -> [Hole]? {
        let response = try await one(.holeRequest(after: after))
        guard case .holes(let holes) = response else { throw Self.unexpected }
        return holes
    }

    /// Sends a request with any number of response messages; `body` returns how many elements each held.
    private func many(
        _ request: ExchangeMessage, _ body: (ExchangeMessage) async throws -> UInt64
    ) async throws {
        var count: UInt64 = 0
        var isComplete = false
        try await channel.call(request.encoded()) { bytes in
            let response = try Self.response(bytes)
            guard !isComplete else { throw Self.unexpected }
            guard case .end(let expected) = response else {
                count += try await body(response)
                return
            }
            guard expected == count else {
                throw ExchangeError(
                    .cut,
                    "The other says that it sent \(expected) parts, and \(count) came. What came was kept; try again.")
            }
            isComplete = true
        }
        if !isComplete { throw Self.cut }
    }

    private func one(_ request: ExchangeMessage) async throws -> ExchangeMessage { try await one([request]) }

    /// Sends one request in several messages, of which only a channel that cuts has more than one.
    private func one(_ messages: [ExchangeMessage]) async throws -> ExchangeMessage {
        var found: ExchangeMessage?
        let take = { (bytes: [UInt8]) in
            let response = try Self.response(bytes)
            guard found == nil else { throw Self.unexpected }
            found = response
        }
        if messages.count > 1, let cutting {
            try await cutting.call(messages, take)
        } else if let message = messages.first {
            try await channel.call(message.encoded(), take)
        }
        guard let found else { throw Self.cut }
        return found
    }

    private static func response(_ bytes: [UInt8]) throws -> ExchangeMessage {
        let response = try ExchangeMessage(bytes)
        guard case .failure(let code, let message) = response else { return response }
        throw ExchangeError(
            .refused, "The other refused (\(code.clipped(to: 64))): \(message.clipped(to: 4096))",
            refusal: code.clipped(to: 64))
    }

    static var unexpected: ExchangeError {
        ExchangeError(.malformed, "The peer sent a response that does not belong to the request.")
    }

    private static var cut: ExchangeError {
        ExchangeError(.cut, "The connection ended before the response was complete. What came was kept; try again.")
    }
}

/// Carries requests to a `MessageServer`: all that a network carrier must do.
///
/// Each request is complete in itself and may be repeated. Messages have a bound, `ExchangeMessage.largest`.
public protocol MessageChannel: Sendable {
    /// Sends a request and passes the responses to `body`, one at a time and in order. Throws the failure that ends it;
    /// an error of `body` ends it and is rethrown.
    func call(_ request: [UInt8], _ body: ([UInt8]) async throws -> Void) async throws
}
