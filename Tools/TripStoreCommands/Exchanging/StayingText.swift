import Foundation
import TripStore

/// A state of a store that stays in sync, in words and in JSON.
struct StayingText {
    let state: SyncState

    init(_ state: SyncState) { self.state = state }

    var line: String {
        switch state {
        case .connecting: "connecting"
        case .connected: "in sync"
        case .catchingUp(let done, let total): "\(done) of \(Words.count(total, "commit"))"
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
        var members: [(String, JSON)] = [("state", .string(name))]
        switch state {
        case .connecting, .connected, .needsGrant: break
        case .catchingUp(let done, let total): members += [("done", .integer(done)), ("of", .integer(total))]
        case .impeded(let reason, let next), .otherJournal(let reason, let next), .notTrusted(let reason, let next):
            members += [("reason", .string(reason)), ("nextTry", .string(next.utcText))]
        case .offline(let since, let reason, let next):
            members += [
                ("since", .string(since.utcText)), ("reason", .string(reason)), ("nextTry", .string(next.utcText)),
            ]
        case .revoked(let admin): members.append(("by", .string("\(admin)")))
        case .stopped(let reason): members.append(("reason", .string(reason)))
        }
        return .object(members)
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
