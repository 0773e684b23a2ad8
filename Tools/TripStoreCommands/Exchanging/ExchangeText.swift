import ArgumentParser
import Events
import Foundation
import LogExchange
import TripFormats
import TripStore

/// The result of an exchange, in words and in JSON.
struct ExchangeText {
    /// If there are more conflicts, only their number is printed.
    private static let shownConflicts = 20
    private static let shownErasures = 5

    let report: ExchangeReport
    /// The conflicts that it caused.
    let conflicts: [Conflict]
    /// Commits of which bytes are missing here that no known peer has.
    private let lost: [CommitID]
    /// The erasures that came with it, or became something else.
    private let erasures: [ErasureStatus]

    /// `store` is the one that received the commits. Its queries show them by then. `erasures` are those that it had before.
    init(_ report: ExchangeReport, _ store: TripStore, after erasures: [ErasureStatus]) async throws {
        self.report = report
        if report.received.commits > 0 { try await store.catchUp() }
        conflicts = try store.conflicts(from: report).rows
        lost = report.missing.isEmpty ? [] : try store.missingBytes().lost
        let known = Set(erasures)
        self.erasures = try store.erasures().filter { !known.contains($0) }
    }

    /// Throws the exit code 1 if bytes are missing, or something was found.
    func check() throws {
        if !report.shortcomings.isEmpty || !report.findings.isEmpty { throw ExitCode.found }
    }

    /// Prints it, with `head` before it.
    func print(_ head: String, _ more: [(String, JSON)] = [], json: Bool) {
        if let change = report.identityChange {
            Console.current.warn("This store goes on as another replica than \(change.previous): \(change.reason)")
        }
        if let change = report.peerIdentityChange {
            Console.current.warn("The other store goes on as another replica than \(change.previous): \(change.reason)")
        }
        if json {
            Console.current.out(JSON.object(more + members).text)
        } else {
            let layout = Console.current.layout
            // What a line says goes on below its beginning.
            let below = lines.flatMap { layout.lines(String($0.dropFirst(12)), behind: String($0.prefix(12))) }
            Console.current.show(layout.lines(head, behind: "") + below)
        }
    }

    /// Does work that is an exchange, and shows its progress.
    static func exchanging<T>(
        standing: String = "What came and went before stands on both sides, and the next exchange goes on from there.",
        _ body: (@escaping @Sendable (ExchangeProgress) -> Void) async throws -> T
    ) async rethrows -> T {
        try await LongWork.run(standing: standing) { work in
            try await body { step in
                guard step.stage != .greeting else {
                    return work.report("greeting", 0, of: Int?.none, .things("commit"))
                }
                let stage =
                    step.commitsToSend == 0 ? "receiving" : step.commitsToReceive == 0 ? "sending" : "exchanging"
                work.report(stage, step.done, of: step.total, .things("commit"))
            }
        }
    }

    // MARK: JSON

    private var members: [(String, JSON)] {
        [
            ("peer", .object([("replica", .string("\(report.peer.replica)")), ("name", .string(report.peer.name))])),
            ("sent", .amount(report.sent)), ("received", .amount(report.received)),
            ("forks", .array(report.forks.map(JSON.fork))),
            ("conflicts", .array(conflicts.map(ConflictText.json))), ("seconds", .double(report.seconds)),
            ("healed", .integer(report.healed)), ("healedThere", .integer(report.healedThere)),
            ("missing", .integer(report.missing.count)), ("missingThere", .integer(report.missingThere.count)),
            ("notTaken", .integer(report.notTaken.count)), ("notShown", .integer(report.notShown)),
            ("withdrawn", .array(report.withdrawn.map { .string("\($0)") })),
            ("lost", .array(lost.map { .string("\($0)") })),
            ("joined", .optional(report.joined.map { "\($0)" })),
            ("identityChange", report.identityChange.map(JSON.identityChange) ?? .null),
            ("peerIdentityChange", report.peerIdentityChange.map(JSON.identityChange) ?? .null),
            (
                "clockSkews",
                .array(
                    report.clockSkews.map { skew in
                        JSON.object([
                            ("replica", .string("\(skew.replica)")), ("milliseconds", .integer(skew.milliseconds)),
                        ])
                    })
            ),
            ("attachments", report.attachments.map(Self.json) ?? .null),
            ("findings", .array(report.findings.map(JSON.finding))),
            ("erasures", .array(erasures.map(ErasureText.json))), ("erased", Self.json(report.erased)),
        ]
    }

    private static func json(_ erased: ExchangeReport.Erased) -> JSON {
        .object([
            ("shownAgain", .integer(erased.shownAgain)), ("removed", .integer(erased.removed)),
            ("receivedInPart", .integer(erased.receivedInPart)), ("unstated", .integer(erased.unstated)),
            ("failure", .optional(erased.failure)),
        ])
    }

    private static func json(_ report: ContentReport) -> JSON {
        .object([
            ("sent", .integer(report.sent.contents)), ("sentBytes", .integer(report.sent.bytes)),
            ("received", .integer(report.received.contents)), ("receivedBytes", .integer(report.received.bytes)),
            ("lacking", .integer(report.lacking.count)), ("refused", .array(report.refused.map { .string("\($0)") })),
            ("waiting", .integer(report.waiting.contents)),
        ])
    }

    // MARK: Words

    /// Why bytes are not here any more, or what is shown again.
    private static func lines(_ erased: ExchangeReport.Erased) -> [String] {
        [
            (erased.shownAgain, "  unhidden  ", ", whose erasure was taken back or no longer counts"),
            (erased.removed, "  removed   bytes of ", ", which were erased and whose time has come"),
            (erased.receivedInPart, "  lacks     bytes of ", ", which were erased before it came"),
            (erased.unstated, "  lacks     bytes of ", " that \(ErasureText.unstated)"),
        ].filter { $0.0 > 0 }.map { "\($0.1)\($0.0.counted("commit"))\($0.2)" }
    }

    private static func lines(_ report: ContentReport) -> [String] {
        let words = { (amount: ContentReport.Amount) in
            "\(amount.contents.counted("attachment")), \(Words.bytes(Int(amount.bytes)))"
        }
        var lines: [String] = []
        if report.sent.contents > 0 { lines.append("  sent      \(words(report.sent))") }
        if report.received.contents > 0 { lines.append("  received  \(words(report.received))") }
        if !report.lacking.isEmpty {
            lines.append("  missing   the bytes of \(report.lacking.count.counted("attachment")), on both sides")
        }
        return lines
    }

    private var lines: [String] {
        var lines = [
            "  sent      \(Self.words(report.sent))", "  received  \(Self.words(report.received))",
            "  took      \(String(format: "%.3f s", report.seconds))",
        ]
        if let attachments = report.attachments { lines += Self.lines(attachments) }
        if report.healed > 0 { lines.append("  healed    \(report.healed.counted("commit"))") }
        if report.healedThere > 0 {
            lines.append("  healed    \(report.healedThere.counted("commit")) there, whose bytes the other lacked")
        }
        for shortcoming in report.shortcomings { lines.append("  missing   \(shortcoming)") }
        for erasure in erasures.prefix(Self.shownErasures) {
            lines.append("  erased    \(ErasureText.words(erasure))")
        }
        if erasures.count > Self.shownErasures {
            lines.append(
                "  erased    \(erasures.count - Self.shownErasures) more: 'tripstore erasures' lists them".onThisStore)
        }
        lines += Self.lines(report.erased)
        for finding in report.findings { lines.append("  finding   \(finding.code): \(finding)") }
        for commit in lost { lines.append("  lost      the bytes of \(commit): no known peer has them") }
        for commit in report.withdrawn {
            lines.append(
                "  withdrew  commit \(commit.sequence) of \(commit.replica): \(report.peer.words), had acknowledged it, and did not show it any more"
            )
        }
        if let journal = report.joined { lines.append("  joined    the other's journal, \(journal)") }
        if report.peer.journal == nil && report.sent.commits == 0 {
            lines.append("  note      the other holds nothing, and so belongs to no journal yet")
        }
        for fork in report.forks {
            lines.append(
                "  fork      \(fork.replica) has \(fork.branches.count) different commits \(fork.sequence); all count")
        }
        for skew in report.clockSkews {
            let direction = skew.milliseconds < 0 ? "behind" : "ahead of"
            lines.append(
                "  clock     that of \(skew.replica) is \(Words.duration(milliseconds: skew.milliseconds)) \(direction) "
                    + "this one's")
        }
        for conflict in conflicts.prefix(Self.shownConflicts) {
            lines.append("  conflict  \(ConflictText.line(conflict))")
        }
        if conflicts.count > Self.shownConflicts {
            lines.append(
                "  conflict  \(conflicts.count - Self.shownConflicts) more: 'tripstore audit conflicts --all' lists them"
                    .onThisStore)
        }
        return lines
    }

    private static func words(_ amount: ExchangeReport.Amount) -> String {
        guard amount.commits > 0 else { return "nothing" }
        return "\(amount.commits.counted("commit")), \(amount.events.counted("event")), "
            + Words.bytes(amount.bytes)
    }
}
