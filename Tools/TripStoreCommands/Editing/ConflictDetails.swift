import ArgumentParser
import Foundation
import TripStore

/// A conflict for people: both sides, and what writes a third value.
struct ConflictDetails {
    let conflict: Conflict
    let store: TripStore

    /// The subject, and for each side its value, who wrote it, when and where.
    var lines: [String] {
        get throws {
            let candidate = try store.read { try NamedCandidate(conflict.entity, in: $0) }
            let title = conflict.name.isEmpty ? candidate.words : "\(conflict.name), \(candidate.words)"
            let replicas = try store.namedReplicas()
            func source(_ commit: CommitInfo) -> String {
                let device = replicas[commit.replica].flatMap { $0.isEmpty ? nil : $0 }
                let place = "on \(device ?? String(commit.replica.description.prefix(8)))"
                let who = commit.author.isEmpty ? place : "by \(commit.author) \(place)"
                return "\(who), \(AuditText.time(commit.written)), position \(commit.position)"
            }
            let layout = Console.current.layout
            let sides = [("  1  stands      ", conflict.winner), ("  2  superseded  ", conflict.superseded)]
            let values = try sides.map { layout.shown(try store.namingIDs(in: $1.value.words)) }
            let width = values.map(\.columns).max() ?? 0
            let subject = try store.namingIDs(in: conflict.field)
            return layout.lines("\(title): \(subject)\(conflict.isOpen ? "" : ", resolved")", behind: "")
                + zip(sides, values).flatMap { side, value in
                    let (head, origin) = (side.0, source(side.1.commit))
                    // Beside a long value there is no room.
                    if let columns = layout.columns, head.columns + width + Self.leastSource > columns {
                        return layout.lines(value, behind: head)
                            + layout.lines(origin, behind: "".padded(to: head.columns))
                    }
                    return layout.lines(origin, behind: head + value.padded(to: width) + "  ")
                }
        }
    }

    private static let leastSource = 40

    /// The command line of the edit that writes another value of the field.
    func arguments(writing value: String) throws -> [String] {
        guard case .field(let path) = conflict.subject, let type = conflict.entity.type else {
            throw CommandError("The conflict is over a deletion, and no value resolves it. Give --take.")
        }
        let entity = conflict.entity
        let kind = entity.kind.isNamespaced ? "own" : entity.kind.name ?? ""
        let start = [entity.id.uuidString, "--kind", kind]
        let known = FieldOption.all(for: type.fieldOutlines)
            .first { $0.field.number == path.field && !$0.options.isEmpty }
        if value.isEmpty, path.key.isEmpty { return start + ["--clear", conflict.field] }
        guard let known, path.key.isEmpty else {
            let own = try store.knownFieldDescriptions().first { $0.isOfField(of: entity) && $0.number == path.field }
            guard let own, own.shape == .value || own.shape == .map else {
                throw CommandError(
                    "An element of '\(conflict.field)' has no third value. Give --take, or edit the field.")
            }
            return start + ["--set", "\(conflict.field)=\(value)"]
        }
        func option(_ part: FieldOption.Part) -> String? { known.options.first { $0.part == part }?.typed }
        let words = value.split(separator: " ")
        switch known.field.form {
        case .flag:
            let name = known.options[0].name
            return start + [["yes", "true"].contains(value.lowercased()) ? "--\(name)" : "--no-\(name)"]
        case .money, .moment:
            guard let whole = option(.whole), let last = option(known.field.form == .money ? .currency : .zone),
                words.count == 2
            else {
                throw CommandError(
                    "'\(value)' is no value of '\(conflict.field)'. Give it as it is shown, as '12.50 EUR' or "
                        + "'2027-05-01T10:00 Europe/Lisbon'.")
            }
            return start + ["\(whole)=\(words[0])", "\(last)=\(words[1])"]
        default:
            guard let whole = option(.whole) else {
                throw CommandError(
                    "'\(conflict.field)' has several parts. Edit them: 'tripstore edit \(entity.id.uuidString)' resolves "
                        + "the conflict too.")
            }
            return start + ["\(whole)=\(value)"]
        }
    }
}
