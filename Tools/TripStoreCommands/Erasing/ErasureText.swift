import EventLog
import Events
import Foundation
import TripFormats
import TripStore

/// Erasures in words and in JSON.
enum ErasureText {
    static func json(_ erasure: ErasureStatus) -> JSON {
        var (state, until, by) = ("removed", nil as Date?, [] as [ReplicaID])
        switch erasure.state {
        case .pending(let date): (state, until) = ("pending", date)
        case .removed: break
        case .takenBack(let replicas): (state, by) = ("takenBack", replicas)
        }
        return .object([
            ("position", .integer(erasure.position.rawValue)), ("replica", .string("\(erasure.eraser)")),
            ("device", .string(erasure.name)), ("date", .string(erasure.date.utcText)),
            ("events", .integer(erasure.events)),
            ("commits", .array(erasure.positions.map { .integer($0.rawValue) })), ("state", .string(state)),
            ("removal", .optional(until?.utcText)), ("takenBackBy", .array(by.map { .string("\($0)") })),
            ("lateAfter", .array(erasure.lateAfter.map { .integer($0.rawValue) })),
        ])
    }

    /// Of bytes that are missing.
    static let unstated = "were erased, though no erasure of them stands any more: any copy puts them back"

    /// As in "3 events of 2 commits were hidden by phone"; with the commands for this device.
    static func words(_ erasure: ErasureStatus, withCommands: Bool = true) -> String {
        let commits = erasure.commits.counted(erasure.events == 0 ? "whole commit" : "commit")
        let causes = erasure.lateAfter.map { "\($0)" }.joined(separator: ", ")
        let late = erasure.causes.isEmpty ? "" : ", late\(causes.isEmpty ? "" : " after \(causes)"),"
        let what = (erasure.events == 0 ? commits : "\(erasure.events.counted("event")) of \(commits)") + late
        let were = (erasure.events == 0 ? erasure.commits : erasure.events) == 1 ? "was" : "were"
        let by = "by \(erasure.who) on \(day(erasure.date))"
        return switch erasure.state {
        case .pending(let date):
            "\(what) \(were) hidden \(by); removed on \(day(date))" + (withCommands ? choices(erasure) : "")
        case .removed: "\(what) \(were) erased \(by), and \(were) removed"
        case .takenBack([]): "\(what) \(were) erased \(by), with an erasure that is not here or does not count"
        case .takenBack(let replicas):
            "\(what) \(were) erased \(by), and taken back by "
                + replicas.map { String($0.description.prefix(8)) }.joined(separator: ", ")
        }
    }

    /// What this device may do about a pending erasure.
    private static func choices(_ erasure: ErasureStatus) -> String {
        func command(_ option: String) -> String {
            "'tripstore erasures \(option) \(erasure.position)'".onThisStore
        }
        return (erasure.mayBeTakenBack ? "; take back with \(command("--take-back"))" : "")
            + (erasure.mayBeConfirmed ? "; remove at once with \(command("--confirm"))" : "")
    }

    /// What statements say beside erasures: what they take back, and a period.
    static func otherWords(_ statements: [ErasingStatement]) -> [String] {
        var (taken, texts) = ([] as [CommitID], [] as [String])
        for statement in statements {
            switch statement {
            case .erasure: continue
            case .takeBack(let commit, _): taken.append(commit)
            case .period(let days):
                texts.append("sets that what an admin erases of others is removed after \(days.counted("day"))")
            }
        }
        guard let first = taken.first else { return texts }
        let what =
            taken.count == 1 ? "commit \(first.sequence) of \(first.replica)" : taken.count.counted("commit")
        return ["takes back what was erased of \(what)"] + texts
    }

    /// In UTC.
    static func day(_ date: Date) -> String { String(date.utcText.prefix(10)) }
}

extension ErasureStatus {
    /// The eraser for people.
    var who: String { name.isEmpty ? String(eraser.description.prefix(8)) : name }
}

/// Erasures by what they are of, for the audit of commits.
struct NamedErasures {
    private var byCommit: [CommitID: [ErasureStatus]] = [:]
    private var byPosition: [Position: [ErasureStatus]] = [:]

    private var withCommands = true

    init() {}

    /// Erasures of a store. `withCommands` says whether the texts tell this device what it may do about them.
    init(in store: TripStore, withCommands: Bool = true) throws {
        self.withCommands = withCommands
        for erasure in try store.erasures() {
            for commit in erasure.parts.keys { byCommit[commit, default: []].append(erasure) }
            byPosition[erasure.position, default: []].append(erasure)
        }
    }

    /// A text for each erasure of events of a commit, and for each that the commit states.
    func words(of commit: AuditedCommit) -> [String] {
        let id = CommitID(replica: commit.replica, sequence: commit.sequence, hash: commit.hash)
        let own = (byCommit[id] ?? []).map { erasure in
            var what = "all"
            if case .some(let leaves)? = erasure.parts[id] { what = leaves.events.count.counted("event") }
            let end =
                switch erasure.state {
                case .pending(let date): ", removed on \(ErasureText.day(date))"
                case .removed: ""
                case .takenBack: ", and taken back"
                }
            return "\(what) erased by \(erasure.who) on \(ErasureText.day(erasure.date))\(end)"
        }
        let stated = (byPosition[commit.position] ?? []).filter { $0.parts[id] == nil }
            .map { ErasureText.words($0, withCommands: withCommands) }
        return own + stated + ErasureText.otherWords(commit.erasing)
    }
}
