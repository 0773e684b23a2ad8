import EventLog
import Foundation

/// The secret in a feed's address: 32 random bytes in base64url (RFC 4648, section 5), without padding.
///
/// It is not `Equatable`: an ordinary comparison takes longer the more of a guess is right.
struct FeedSecret: Sendable {
    private static let bytes = 32
    private static let characters = 43

    /// Letters, digits, `-` and `_`, as in the address.
    let text: String

    /// A new one, of the system's cryptographic random source.
    static func new() -> FeedSecret {
        while true {
            let text = Dependencies.system.randomBytes(bytes).base64URL
            // One that begins so could not be typed as an argument.
            if !text.hasPrefix("-") { return FeedSecret(checked: text) }
        }
    }

    private init(checked text: String) { self.text = text }

    /// Nil for a text that has not the form of one.
    init?(_ text: String) {
        guard text.utf8.count == Self.characters, text.utf8.allSatisfy(Self.isCharacter) else { return nil }
        self.text = text
    }

    private static func isCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether both are the same, in a time that does not depend on how much of them is.
    func matches(_ other: FeedSecret) -> Bool { text.utf8.hasSameBytes(as: other.text.utf8) }
}

extension FeedSecret {
    private static let folder = "feed"
    static let suffix = ".ics"

    /// The target of a request for a feed. The last part is for people: whatever it is, the secret alone says which feed it is, so that an
    /// address outlives a change of the name.
    func target(named name: String) -> String { "/\(Self.folder)/\(text)/\(name)\(Self.suffix)" }

    /// The secret in the target of a request; nil if it is none for a feed.
    init?(target: String) {
        let path = target.prefix { $0 != "?" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == Self.folder, parts[3].hasSuffix(Self.suffix),
            let text = parts[2].removingPercentEncoding
        else { return nil }
        self.init(text)
    }

    /// The secret of an address that `target(named:)` ends, or of itself; nil for any other text.
    init?(argument: String) {
        guard let start = argument.range(of: "/\(Self.folder)/")?.lowerBound else {
            self.init(argument)
            return
        }
        self.init(target: String(argument[start...]))
    }
}
