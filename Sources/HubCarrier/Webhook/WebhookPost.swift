#if Hub
    internal import Crypto
    import Foundation

    /// One post, the same in each attempt but for its signature's time.
    struct WebhookPost: Sendable {
        let id: String
        let body: String

        /// `seconds` since 1970. With a secret the receiver can tell who posted, and that it was lately: see "Running a hub".
        func headers(secret: [UInt8]?, at seconds: Int64) -> [(String, String)] {
            var headers = [
                ("content-type", "application/json"), ("user-agent", "tripstore-hub"), ("tripstore-delivery", id),
            ]
            if let secret {
                let code = HMAC<SHA256>.authenticationCode(
                    for: Data("\(seconds).\(body)".utf8), using: SymmetricKey(data: secret))
                let digits = code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                headers.append(("tripstore-signature", "t=\(seconds),v1=\(digits)"))
            }
            return headers
        }
    }

    /// Sends a post; returns the status.
    typealias WebhookSending = @Sendable (WebhookPost, [(String, String)]) async throws -> Int
#endif
