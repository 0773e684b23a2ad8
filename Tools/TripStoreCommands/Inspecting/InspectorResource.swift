import Events

/// A command of the tool that the inspector's interface runs, and what may be given to it.
///
/// All others are refused, and so are options that name files, other stores, or output for people.
struct InspectorResource: Sendable {
    /// As in `audit log`.
    let words: [String]
    /// How many arguments follow, at most.
    let arguments: Int
    let options: Set<String>
    /// Whether it writes: it is then run by POST alone, and only where that was allowed.
    var writes = false

    static let all: [InspectorResource] = [
        .init("status", 0),
        .init("trips", 0, paging + ["as-of", "from", "to", "overlapping", "undated", "reverse"]),
        .init(
            "list", 2,
            paging + [
                "as-of", "deleted", "trip", "named", "where", "sort", "columns", "group", "sum", "min", "max", "count",
                "explain",
            ]),
        .init("show", 1, named + ["as-of"]), .init("agenda", 1, ["as-of", "trip", "findings"]),
        .init("find", 1, paging + ["kind", "under", "as-of"]),
        .init("totals", 1, paging + ["as-of", "by", "in"]), .init("attachments", 1, named),
        .init("conflicts", 0, ["under"]),
        .init(
            "audit log", 0,
            paging + ["entity", "under", "replica", "author", "kind", "since", "until", "reverse", "text"]),
        .init("audit show", 1), .init("audit blame", 1, named), .init("audit diff", 2, ["under"]),
        .init("audit conflicts", 0, ["under", "all"]), .init("audit verify", 0),
        .init("replay", 0, ["verify", "view"]),
        .init("peers", 0), .init("members", 0), .init("erasures", 0), .init("subscriptions", 0),
        .init("doctor", 0, ["quick"]),
        .init("undo", 0, ["commit", "correlation", "dry-run"], writes: true),
        .init("redo", 0, ["dry-run"], writes: true),
        .init("resolve", 1, ["take", "value"], writes: true), .init("restore", 1, named + ["dry-run"], writes: true),
    ]

    /// Options without a value. All others have one.
    private static let flags: Set = [
        "undated", "reverse", "deleted", "count", "explain", "findings", "all", "verify", "dry-run", "quick",
    ]
    private static let paging = ["limit", "after"]
    /// For an entity that is named by its name.
    private static let named = ["kind", "trip"]

    private init(_ words: String, _ arguments: Int, _ options: [String] = [], writes: Bool = false) {
        self.words = words.split(separator: " ").map(String.init)
        self.arguments = arguments
        self.options = Set(options)
        self.writes = writes
    }

    /// The resource that a path names, and its arguments; nil if there is none.
    static func find(_ path: [String]) -> (resource: InspectorResource, arguments: [String])? {
        for resource in all where path.starts(with: resource.words) {
            return (resource, Array(path.dropFirst(resource.words.count)))
        }
        return nil
    }

    /// The command line. Throws `InspectorFault` for what the resource does not take.
    func commandLine(
        _ arguments: [String], _ query: [(name: String, value: String?)], store: String
    ) throws(InspectorFault) -> [String] {
        let name = words.joined(separator: " ")
        guard arguments.count <= self.arguments else {
            throw InspectorFault(
                400, "usage",
                "'\(name)' takes \(self.arguments.counted("argument")) at most, and there are \(arguments.count).")
        }
        var line = words + ["--json", "--store=\(store)"]
        // A replay that does not verify would put other views in the place of those that serve.
        var options = words == ["replay"] ? query + [("verify", nil)] : query
        var seen: Set<String> = []
        options.removeAll { !seen.insert("\($0.name)=\($0.value ?? "")").inserted }
        for (option, value) in options {
            guard self.options.contains(option) else {
                let known = self.options.sorted().joined(separator: ", ")
                throw InspectorFault(
                    400, "usage",
                    "'\(name)' has no option '\(option)' here. \(known.isEmpty ? "It has none." : "It has \(known).")")
            }
            // The parser would take the argument that follows for it.
            guard value != nil || Self.flags.contains(option) else {
                throw InspectorFault(400, "usage", "'\(option)' has a value: give it as '\(option)=…'.")
            }
            line.append(value.map { "--\(option)=\($0)" } ?? "--\(option)")
        }
        return arguments.isEmpty ? line : line + ["--"] + arguments
    }
}

/// A request that the inspector refuses before any command runs.
struct InspectorFault: Error {
    let status: Int
    let code: String
    let message: String
    var hint: String?

    init(_ status: Int, _ code: String, _ message: String, hint: String? = nil) {
        (self.status, self.code, self.message, self.hint) = (status, code, message, hint)
    }

    var json: JSON {
        .object([
            ("code", .string(code)), ("message", .string(message)), ("hint", .optional(hint)), ("position", .null),
        ])
    }
}
