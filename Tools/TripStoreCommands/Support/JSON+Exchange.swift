import TripStore

extension JSON {
    static func finding(_ finding: Finding) -> JSON {
        .object([
            ("code", .string(finding.code)), ("position", finding.position.map { .integer($0.rawValue) } ?? .null),
            ("replica", .optional(finding.replica?.description)),
            ("sequence", finding.sequence.map { .integer($0.rawValue) } ?? .null),
            ("message", .string(finding.message)),
        ])
    }

    static func fork(_ fork: Fork) -> JSON {
        .object([
            ("replica", .string("\(fork.replica)")), ("sequence", .integer(fork.sequence.rawValue)),
            ("branches", .array(fork.branches.map { .string("\($0)") })),
        ])
    }

    static func identityChange(_ change: IdentityChange) -> JSON {
        .object([("previous", .string("\(change.previous)")), ("reason", .string(change.reason))])
    }

    static func neededUpdate(_ needed: NeededUpdate) -> JSON {
        .object([
            ("commits", .integer(needed.commits)), ("features", .integer(needed.features)),
            ("version", .optional(needed.version.map { "\($0)" })),
            ("replicas", .array(needed.replicas.map { .string("\($0)") })),
        ])
    }

    static func amount(_ amount: ExchangeReport.Amount) -> JSON {
        .object([
            ("commits", .integer(amount.commits)), ("events", .integer(amount.events)),
            ("bytes", .integer(amount.bytes)),
        ])
    }

    /// The newest number of each replica; the greatest of one that forks.
    static func sequences(_ frontier: Frontier) -> JSON {
        var sequences: [(String, JSON)] = []
        // Heads are in the order of replicas, and of numbers within each.
        for head in frontier.heads {
            if sequences.last?.0 == "\(head.replica)" { sequences.removeLast() }
            sequences.append(("\(head.replica)", .integer(head.sequence.rawValue)))
        }
        return .object(sequences)
    }
}
