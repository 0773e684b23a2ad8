import Events
import Foundation
import TripFormats
import TripStore

/// A state of a store that stays in sync, in words and in JSON.
struct StayingText {
    let state: SyncState

    init(_ state: SyncState) { self.state = state }

    var line: String {
        switch state {
        case .connecting: "connecting"
        case .connected: "in sync"
        case .catchingUp(let done, let total): "\(done) of \(total.counted("commit"))"
        case .impeded(let reason, let next): "in sync, but for this: \(reason) Next try at \(next.utcText)"
        case .needsGrant: "waits until an admin's device grants membership"
        case .offline(let since, let reason, let next):
            "offline since \(since.utcText): \(reason) Next try at \(next.utcText)"
        case .revoked(let admin): "replica \(admin) revoked this device's membership; what is here stays"
        case .otherJournal(let reason, _), .notTrusted(let reason, _): reason
        case .stopped(let reason): "stopped: \(reason)"
        }
    }

    var json: JSON {
        var (done, total): (Int?, Int?)
        var (reason, by): (String?, String?)
        var (since, nextTry): (Date?, Date?)
        switch state {
        case .connecting, .connected, .needsGrant: break
        case .catchingUp(let part, let whole): (done, total) = (part, whole)
        case .impeded(let text, let next), .otherJournal(let text, let next), .notTrusted(let text, let next):
            (reason, nextTry) = (text, next)
        case .offline(let start, let text, let next): (since, reason, nextTry) = (start, text, next)
        case .revoked(let admin): by = "\(admin)"
        case .stopped(let text): reason = text
        }
        return .object([
            ("state", .string(name)), ("done", .optional(done)), ("of", .optional(total)),
            ("reason", .optional(reason)), ("since", .optional(since?.utcText)),
            ("nextTry", .optional(nextTry?.utcText)), ("by", .optional(by)),
        ])
    }

    private var name: String {
        switch state {
        case .connecting: "connecting"
        case .connected: "connected"
        case .catchingUp: "catchingUp"
        case .impeded: "impeded"
        case .needsGrant: "needsGrant"
        case .offline: "offline"
        case .revoked: "revoked"
        case .otherJournal: "otherJournal"
        case .notTrusted: "notTrusted"
        case .stopped: "stopped"
        }
    }
}
