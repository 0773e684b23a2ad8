import TripStore

extension JSON {
    static func fork(_ fork: Fork) -> JSON {
        .object([
            ("replica", .string("\(fork.replica)")), ("sequence", .integer(fork.sequence.rawValue)),
            ("branches", .array(fork.branches.map { .string("\($0)") })),
        ])
    }
}
