import Foundation

/// A request that goes out as it is given: no header is added but the host, no cookie kept, no redirect followed.
struct PlainRequest: Sendable {
    var method = "GET"
    var target = "/"
    /// Without a host, that of the address is sent.
    var headers: [(name: String, value: String)] = []
    var body = Data()

    fileprivate func bytes(port: Int) -> Data {
        var lines = ["\(method) \(target) HTTP/1.1"]
        if !headers.contains(where: { $0.name.lowercased() == "host" }) { lines.append("host: 127.0.0.1:\(port)") }
        lines += headers.map { "\($0.name): \($0.value)" } + ["connection: close"]
        if method != "GET" { lines.append("content-length: \(body.count)") }
        return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}

struct PlainAnswer: Sendable {
    let status: Int
    /// The names in lower case.
    let headers: [(name: String, value: String)]
    let body: Data

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    var text: String { String(decoding: body, as: UTF8.self) }

    func object() throws -> [String: Any] { try Tool.Outcome.object(text) }
}

/// HTTP/1.1 over a plain socket to a server of this machine.
enum PlainHTTP {
    /// Why there is no answer: the system's error, or an answer that is none.
    struct Failure: Error { let words: String }

    static func answer(to request: PlainRequest, host: String = "127.0.0.1", port: Int) async throws -> PlainAnswer {
        try await apart {
            let socket = try PlainSocket(host: host, port: port)
            try socket.put(request.bytes(port: port))
            let (status, headers) = try socket.head()
            let body = request.method == "HEAD" ? Data() : try socket.body(headers)
            return PlainAnswer(status: status, headers: headers, body: body)
        }
    }

    /// The lines of an answer that goes on; they end with the server, or where the answer is another than 200.
    static func lines(of request: PlainRequest, port: Int) -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                defer { continuation.finish() }
                guard let socket = try? PlainSocket(host: "127.0.0.1", port: port),
                    (try? socket.put(request.bytes(port: port))) != nil, let (status, _) = try? socket.head(),
                    status == 200
                else { return }
                var rest = Data()
                while let piece = try? socket.chunk() {
                    rest += piece
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest = Data(rest[rest.index(after: end)...])
                    }
                }
            }
        }
    }

    /// Runs what waits on a thread of its own: those of tasks must not wait.
    private static func apart<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
        }
    }
}

/// A connection, used by one thread.
private final class PlainSocket {
    private let descriptor: Int32
    private var unread = Data()

    init(host: String, port: Int) throws { descriptor = try Self.connected(host, port) }

    deinit { close(descriptor) }

    private static func connected(_ host: String, _ port: Int) throws -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
            throw PlainHTTP.Failure(words: "no address: \(host)")
        }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw failure("socket") }
        // A server that hangs fails the test, and does not hold it up for ever.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let outcome = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard outcome == 0 else {
            let refusal = failure("connect to \(host):\(port)")
            close(descriptor)
            throw refusal
        }
        return descriptor
    }

    private static func failure(_ step: String) -> PlainHTTP.Failure {
        PlainHTTP.Failure(words: "\(step): \(String(cString: strerror(errno)))")
    }

    /// Sends bytes. A server that answers before it read all of them closes: that answer is what counts.
    func put(_ data: Data) throws {
        var sent = 0
        while sent < data.count {
            let count = data.withUnsafeBytes { bytes in
                send(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && (errno == EPIPE || errno == ECONNRESET) { return }
            guard count > 0 else { throw Self.failure("send") }
            sent += count
        }
    }

    /// Reads more. Returns whether there was any.
    private func more() throws -> Bool {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &part, part.count, 0)
        guard count >= 0 else { throw Self.failure("recv") }
        unread.append(contentsOf: part[..<count])
        return count > 0
    }

    private func bytes(_ count: Int) throws -> Data {
        while unread.count < count {
            guard try more() else { throw PlainHTTP.Failure(words: "The answer is cut off.") }
        }
        defer { unread = Data(unread.dropFirst(count)) }
        return Data(unread.prefix(count))
    }

    private func line() throws -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let text = String(decoding: unread[..<end], as: UTF8.self)
                unread = Data(unread[unread.index(after: end)...])
                return text.hasSuffix("\r") ? String(text.dropLast()) : text
            }
            guard try more() else { throw PlainHTTP.Failure(words: "The answer ends within a line.") }
        }
    }

    func head() throws -> (status: Int, headers: [(name: String, value: String)]) {
        let words = try line().split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw PlainHTTP.Failure(words: "The answer is none of HTTP: \(words)")
        }
        var headers: [(name: String, value: String)] = []
        while case let text = try line(), !text.isEmpty {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw PlainHTTP.Failure(words: "No header: \(text)") }
            headers.append((parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces)))
        }
        return (status, headers)
    }

    func body(_ headers: [(name: String, value: String)]) throws -> Data {
        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
        if let length = header("content-length").flatMap(Int.init) { return try bytes(length) }
        var body = Data()
        if header("transfer-encoding")?.lowercased() == "chunked" {
            while let piece = try chunk() { body += piece }
        } else {
            while try more() {}
            body = unread
        }
        return body
    }

    /// The next piece of an answer in pieces; nil at its end.
    func chunk() throws -> Data? {
        let text = try line().prefix { $0 != ";" }
        guard let count = Int(text, radix: 16) else { throw PlainHTTP.Failure(words: "No length of a piece: \(text)") }
        let piece = try bytes(count)
        _ = try line()
        return count == 0 ? nil : piece
    }
}
