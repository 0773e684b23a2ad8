/// Server-sent events, as the HTML standard has them (section "Server-sent events").
enum EventStream {
    static let headers: [(String, String)] = [
        ("content-type", "text/event-stream; charset=utf-8"), ("x-accel-buffering", "no"),
    ]

    /// A comment, which keeps a connection open.
    static let pulse = Array(":\n\n".utf8)

    /// - Parameters:
    ///   - data: one line of JSON.
    ///   - id: what the browser sends when it connects again.
    static func event(_ name: String, _ data: String, id: String? = nil) -> [UInt8] {
        Array("event: \(name)\n\(id.map { "id: \($0)\n" } ?? "")data: \(data)\n\n".utf8)
    }
}
