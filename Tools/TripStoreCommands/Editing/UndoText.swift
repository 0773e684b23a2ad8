import ArgumentParser
import Events
import TripStore

/// The effect of an undo or redo, done or planned, in words and in JSON.
struct UndoText {
    enum Action {
        case undo
        case redo
    }

    /// If there are more changes, or fields that stay, only their number is printed: an import has hundreds of thousands.
    private static let shownLines = 50

    let action: Action
    let isDryRun: Bool

    /// Work of which people at a terminal see how far it is.
    static func work() -> LongWork {
        LongWork(standing: "What was written by then stands: the same command goes on with the rest.")
    }

    /// Prints the report. Throws the exit code 1 if nothing is reverted, though nobody else undid the same.
    func print(_ report: UndoReport, _ options: StoreOptions) throws {
        if options.json {
            Console.current.out(json(report).text)
        } else {
            Self.printFirst(report.changes, "change") { Self.line($0) }
            Self.printFirst(report.kept, "field that stays", "fields that stay") { Self.line($0) }
            Console.current.out(summary(report))
        }
        if report.changes.isEmpty && !report.isUndoneElsewhere { throw ExitCode.found }
    }

    private static func printFirst<Element>(
        _ elements: [Element], _ word: String, _ words: String? = nil, _ line: (Element) -> String
    ) {
        for element in elements.prefix(shownLines) { Console.current.out(line(element)) }
        let more = elements.count - shownLines
        if more > 0 {
            Console.current.out("\(more) more \(more.agreeing(word, words ?? word.plural)): --json lists all")
        }
    }

    /// What is about to be undone, where nobody named it.
    static func announcement(_ plan: UndoReport) -> String {
        let work = plan.commits.count > 1 ? ", one piece of work such as an import" : ""
        return "Undoing \(commits(plan.commits))\(work): \(plan.changes.count.counted("change"))."
    }

    private func json(_ report: UndoReport) -> JSON {
        let changes = report.changes.map { change in
            JSON.object(
                EntityText.members(change.entity, change.name) + [
                    ("verb", .string(change.verb.name)), ("field", .optional(change.new?.name)),
                    ("old", change.old?.value.ordered ?? .null), ("new", change.new?.value.ordered ?? .null),
                ])
        }
        let kept = report.kept.map { kept in
            JSON.object(
                EntityText.members(kept.entity, kept.name) + [
                    ("field", .optional(kept.field)), ("reason", .string(kept.reason.words(in: Console.current.known))),
                    ("position", .optional(kept.reason.commit?.position.rawValue)),
                    ("replica", .optional(kept.reason.commit?.replica.description)),
                ])
        }
        return .object([
            ("dryRun", .bool(isDryRun)), ("commits", .array(report.commits.map { .integer($0.rawValue) })),
            ("changes", .array(changes)), ("kept", .array(kept)), ("receipts", .array(report.receipts.map(\.json))),
        ])
    }

    private static func line(_ change: UndoneChange) -> String {
        let entity = "\(change.verb.name) \(EntityText.words(change.entity, change.name))"
        guard let new = change.new else { return entity.visible }
        return "\(entity): \(EntityText.change(new.name, change.old, new))".visible
    }

    private static func line(_ kept: KeptChange) -> String {
        let field = kept.field.map { "\($0), " } ?? ""
        return
            "kept \(EntityText.words(kept.entity, kept.name)): \(field)\(kept.reason.words(in: Console.current.known))"
            .visible
    }

    private func summary(_ report: UndoReport) -> String {
        let verb =
            switch action {
            case .undo: isDryRun ? "To undo" : "Undid"
            case .redo: isDryRun ? "To do again what was undone by" : "Did again what was undone by"
            }
        var text = "\(verb) \(Self.commits(report.commits)): "
        text += report.changes.count.counted("change") + (isDryRun ? " to put back" : " put back")
        if !report.receipts.isEmpty { text += " by \(Self.commits(report.receipts.map(\.position)))" }
        if !report.kept.isEmpty {
            text += ", \(report.kept.count) \(report.kept.count.agreeing("stays as it is", "stay as they are"))"
        }
        return text + "."
    }

    /// Positions in ascending order, with adjacent ones combined.
    private static func commits(_ positions: [Position]) -> String {
        var runs: [ClosedRange<Position>] = []
        for position in positions.sorted() {
            if let last = runs.last, last.upperBound.next == position {
                runs[runs.count - 1] = last.lowerBound...position
            } else {
                runs.append(position...position)
            }
        }
        let words = runs.map {
            $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
        }
        let nouns = positions.count.agreeing("commit at position", "commits at positions")
        return "the \(nouns) \(words.joined(separator: ", "))"
    }
}

extension KeptChange.Reason {
    /// The commit that stands.
    fileprivate var commit: CommitInfo? {
        switch self {
        case .changedSince(let commit), .undoneElsewhere(let commit), .inUse(let commit): commit
        case .hasChildren, .deleted, .parentMissing, .invalid: nil
        }
    }
}

extension UndoReport {
    /// Whether all that it keeps is what another replica undid as well.
    fileprivate var isUndoneElsewhere: Bool {
        !kept.isEmpty && kept.allSatisfy { if case .undoneElsewhere = $0.reason { true } else { false } }
    }
}
