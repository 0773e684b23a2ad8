import ArgumentParser

/// How much of a list is printed.
struct LimitOptions: ParsableArguments {
    @Option(name: .long, help: "The most entries to list. Default: 50, and with --csv all.")
    var limit: Int?

    @Flag(name: .long, help: "List all of them.")
    var all = false

    /// The most entries.
    var count: Int { all ? .max : limit ?? 50 }

    /// The same, with all entries for a table, which is a file for other programs, unless a limit is given.
    func whole(for isTable: Bool) -> LimitOptions {
        guard isTable, limit == nil else { return self }
        var limits = self
        limits.all = true
        return limits
    }

    /// Says how a list that is cut goes on.
    static func noteMore(after cursor: some CustomStringConvertible) {
        Console.current.note("There are more: --after \(cursor) goes on, and --all lists them.")
    }

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit \(limit) is less than 1.") }
        if all && limit != nil { throw ValidationError("--all and --limit exclude each other: leave one of them out.") }
    }
}
