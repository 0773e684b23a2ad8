/// Answers requests for feeds by the rules of HTTP, whatever calendars there are.
///
/// A wrong secret, one that was revoked, a trip that is deleted and a path of nothing get the same answer, of which no part depends on what
/// there is. Whether a name or a method is served is said before a secret is looked at.
enum FeedAnswer {
    private static let methods = ["GET", "HEAD"]

    /// - Parameter find: returns the calendar that a secret stands for; nil if there is none.
    static func answer(
        to request: WebRequest, as hosts: ServedHosts, _ find: (FeedSecret) async throws -> FeedCalendar?
    ) async throws -> WebAnswer {
        let names = request.values(of: "host")
        guard let name = names.first, names.count == 1 else { return refusal(400) }
        guard hosts.contains(name) else { return refusal(421) }
        guard methods.contains(request.method) else {
            return refusal(405, [("Allow", methods.joined(separator: ", "))])
        }
        guard let secret = FeedSecret(target: request.target), let calendar = try await find(secret) else {
            return refusal(404)
        }
        return answer(with: calendar, to: request)
    }

    /// Where the store or the secrets cannot be read: programs try again.
    static let unavailable = refusal(503, [("Retry-After", "60")])

    private static func answer(with calendar: FeedCalendar, to request: WebRequest) -> WebAnswer {
        let headers = [("ETag", calendar.tag), ("Cache-Control", "private, no-cache")] + guarding
        if EntityTags(request.values(of: "if-none-match")).contains(calendar.tag) {
            return WebAnswer(status: 304, headers: headers)
        }
        let type = [("Content-Type", "text/calendar; charset=utf-8")]
        guard request.method == "HEAD" else {
            return WebAnswer(status: 200, headers: type + headers, body: .bytes(calendar.bytes))
        }
        let length = [("Content-Length", "\(calendar.bytes.count)")]
        return WebAnswer(status: 200, headers: type + length + headers)
    }

    private static func refusal(_ status: Int, _ headers: [(String, String)] = []) -> WebAnswer {
        WebAnswer(status: status, headers: headers + [("Cache-Control", "no-store")] + guarding)
    }

    /// Keeps browsers from sending the address to other sites, and from guessing another media type.
    private static let guarding = [("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff")]
}
